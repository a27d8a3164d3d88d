// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a start of the engine depends on: what the program knows, what was measured, where it may write.
import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formOf } from "../../../src/model/engine/command.ts";
import { inMemory } from "../../../src/model/learned.ts";
import { bigFile, makeWorld, settings } from "./world.ts";

const signal = AbortSignal.timeout(110_000);

/** The arguments of a start with this folder for what is read. */
async function argvWith(
  cache: (home: string) => string | undefined,
  options: {
    env?: Record<string, string>;
    speed?: unknown;
    batch?: number;
    gpuMemory?: number;
  } = {},
) {
  const { env = {}, speed, batch = null, gpuMemory = 0 } = options;
  const lines: string[] = [];
  const speeds = inMemory();
  speeds.set(speed);
  await using world = await makeWorld({
    on: { big: bigFile },
    env,
    engine: { config: { ...settings, batch }, speeds, log: (line) => lines.push(line) },
    sources: { machine: { memory: 16e9, gpuMemory, threads: 2 } },
    cache,
  });
  await world.engine.ready(signal);
  const folder = cache(world.folder);
  const mode = folder === undefined ? 0 : (statSync(folder, { throwIfNoEntry: false })?.mode ?? 0);
  const argv = world.starts()[0]?.argv.join(" ") ?? "";
  return { argv, folder, mode: mode & 0o777, lines };
}

const inHome = (home: string) => join(home, "cache", "engine");
const none = () => undefined;

test("the engine may write what it has read into a folder of its owner alone", async () => {
  const { argv, folder, mode, lines } = await argvWith(inHome);
  assert.ok(argv.includes(`--slot-save-path ${folder}`), argv);
  assert.equal(mode, 0o700);
  assert.deepEqual(lines, []);
});

test("a folder that others could enter is closed", async () => {
  const { mode } = await argvWith((home) => {
    mkdirSync(inHome(home), { recursive: true, mode: 0o755 });
    return inHome(home);
  });
  assert.equal(mode, 0o700);
});

test("an older program, which would not start with that option, starts without it", async () => {
  const { argv } = await argvWith(inHome, { env: { FAKE_OLD: "1" } });
  assert.ok(argv !== "" && !argv.includes("--slot-save-path"), argv);
});

test("a folder that can't be made costs one line in the log, and the engine starts", async () => {
  const { argv, lines } = await argvWith((home) => {
    writeFileSync(join(home, "file"), "");
    return join(home, "file", "engine");
  });
  assert.ok(argv !== "" && !argv.includes("--slot-save-path"), argv);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /not kept over a restart/);
});

test("the batch is what was measured, or what the machine suggests; a setting comes first", async () => {
  for (const [options, wanted] of [
    [{ speed: { big: 95, small: 900 } }, "--batch-size 48 --ubatch-size 48"],
    [{ speed: { big: 3000 } }, "--batch-size 1504 --ubatch-size 512"],
    [{ speed: { small: 900 } }, "--batch-size 64 --ubatch-size 64"],
    [{ speed: "damaged" }, "--batch-size 64 --ubatch-size 64"],
    [{ gpuMemory: 8e9 }, "--batch-size 512 --ubatch-size 512"],
    [{ speed: { big: 95 }, batch: 256 }, "--batch-size 256 --ubatch-size 256"],
  ] as const) {
    const { argv } = await argvWith(none, options);
    assert.ok(argv.includes(wanted), `${argv} has no ${wanted}`);
  }
});

test("only what decides how a prompt is kept belongs to its form", () => {
  const form = (more: string) => formOf(["/llama-server", ...more.split(" ")]).join(" ");
  const plain = form(
    "--model a --port 1 --parallel 1 --jinja --ctx-size 8192 --threads 2 --temp 0",
  );
  assert.equal(plain, "--parallel 1 --jinja --ctx-size 8192");
  assert.equal(
    form("--batch-size 9 --ubatch-size 9 --slot-save-path x --n-gpu-layers 9"),
    "--n-gpu-layers 9",
  );
});
