// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks the embedded engine with a fake llama-server as a real process: fetch, start, crash, pick, end.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { statusOf } from "../../support/fake-engine.ts";
import { bigFile, makeRelease, makeWorld, releaseSource, settings, smallFile } from "./world.ts";

const signal = AbortSignal.timeout(110_000);

test("with program and model here it starts without a fetch, and answers only who has its key", async () => {
  await using world = await makeWorld({ on: { big: bigFile }, env: { FAKE_LOADING: "1" } });
  assert.equal(world.engine.installed(), true);
  const [place, same] = await Promise.all([world.engine.ready(signal), world.engine.ready(signal)]);
  assert.deepEqual(place, same);
  assert.equal(place.model, "big");
  assert.match(place.url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  assert.equal(await statusOf(`${place.url}/models`), 401);
  const headers = { authorization: `Bearer ${place.apiKey}` };
  assert.equal(await statusOf(`${place.url}/models`, headers), 200);
  assert.deepEqual(world.states, ["starting", "loading", "ready"]);
  assert.deepEqual(world.jobs, []);
  assert.equal(world.hub.requests.length, 0);
  assert.equal(world.starts().length, 1);
});

test("the key is in the environment, never in the arguments, and the person's own settings for llama-server are left out", async () => {
  await using world = await makeWorld({
    on: { big: bigFile },
    env: { LLAMA_ARG_HOST: "0.0.0.0" },
    engine: { config: { ...settings, threads: 3, context: 4096, gpuLayers: 7, batch: 64 } },
  });
  const { apiKey } = await world.engine.ready(signal);
  const [start] = world.starts();
  assert.ok(start);
  assert.equal(start.key, apiKey);
  assert.equal(start.strange, undefined);
  const line = start.argv.join(" ");
  assert.equal(line.includes(apiKey), false);
  for (const wanted of [
    "--threads 3",
    "--ctx-size 4096",
    "--n-gpu-layers 7",
    "--batch-size 64 --ubatch-size 64",
    "--host 127.0.0.1",
    "--parallel 1",
    "--alias big",
  ])
    assert.ok(line.includes(wanted), wanted);
});

test("what is missing is fetched as two jobs, then started", async () => {
  const archive = await makeRelease();
  await using world = await makeWorld({
    program: false,
    files: { "/b1/llama.tar.gz": archive, "/big": bigFile },
    sources: { programs: [releaseSource(archive)] },
  });
  assert.equal(world.engine.installed(), false);
  const place = await world.engine.ready(signal);
  assert.equal(place.model, "big");
  assert.deepEqual(readFileSync(world.file("big")), bigFile);
  const ends = world.jobs.filter((job) => job.state !== "running");
  assert.deepEqual(
    ends.map(({ kind, state, done, total }) => [kind, state, done === total]),
    [
      ["engine", "done", true],
      ["model", "done", true],
    ],
  );
  assert.deepEqual(world.states, ["fetching", "starting", "ready"]);
  assert.equal(world.starts()[0]?.libraries, join(world.folder, "engine"));
  const left = await readdir(world.folder);
  assert.deepEqual(left.sort(), ["bin", "engine", "models", "starts"]);
  assert.equal(world.engine.installed(), true);
  assert.deepEqual(world.engine.jobs(), []);
});

test("a question that is stopped leaves the fetch running for the next one", async () => {
  const asked = Promise.withResolvers<void>();
  let go: (() => void) | undefined;
  await using world = await makeWorld({
    behave: (request, response) => {
      if (request.path !== "/big") return false;
      go = () => response.writeHead(200, { "content-length": bigFile.length }).end(bigFile);
      asked.resolve();
      return true;
    },
  });
  const stop = new AbortController();
  const reason = new Error("stopped by a test");
  const first = world.engine.ready(stop.signal);
  await asked.promise;
  stop.abort(reason);
  await assert.rejects(first, (thrown) => thrown === reason);
  assert.equal(world.engine.jobs().length, 1);
  const second = world.engine.ready(signal);
  go?.();
  assert.equal((await second).model, "big");
  assert.equal(world.hub.requests.length, 1);
});

test("a cancelled fetch fails the question that waits for it, and the next question fetches again", async () => {
  const asked = Promise.withResolvers<void>();
  await using world = await makeWorld({
    behave: (_, _response, count) => {
      if (count > 1) return false;
      asked.resolve();
      return true;
    },
  });
  const waiting = world.engine.ready(signal);
  await asked.promise;
  const [job] = world.engine.jobs();
  assert.ok(job);
  world.engine.cancel(job.job);
  await assert.rejects(waiting, { code: "cancelled" });
  assert.equal(world.jobs.at(-1)?.state, "cancelled");
  assert.equal(world.engine.state, "absent");
  assert.throws(() => world.engine.cancel(job.job), { code: "no_job" });
  assert.equal((await world.engine.ready(signal)).model, "big");
});

test("the engine that is killed right after an answer, again and again, is there for the next question", async () => {
  await using world = await makeWorld({ on: { big: bigFile } });
  for (let round = 0; round < 8; round += 1) {
    const { url, apiKey } = await world.engine.ready(signal);
    const headers = { authorization: `Bearer ${apiKey}` };
    assert.equal(await statusOf(`${url}/chat/completions`, headers), 200);
    const seen = world.states.length;
    const lost = world.when(() => world.states.slice(seen).includes("lost"));
    process.kill(world.starts().at(-1)?.pid ?? 0, "SIGKILL");
    await lost;
  }
  await world.engine.ready(signal);
});

test("a crash in an answer fails that request alone", async () => {
  await using world = await makeWorld({ on: { big: bigFile } });
  const { url, apiKey } = await world.engine.ready(signal);
  const lost = world.when(() => world.states.includes("lost"));
  const crash = new URL("/crash", url).href;
  assert.equal(await statusOf(crash, { authorization: `Bearer ${apiKey}` }), 0);
  await lost;
  const next = await world.engine.ready(signal);
  assert.equal(await statusOf(`${next.url}/models`, { authorization: `Bearer ${apiKey}` }), 200);
});

test("an engine that can't start says its last words, and tries again when asked again", async () => {
  await using world = await makeWorld({ on: { big: bigFile }, env: { FAKE_FAILS: "1" } });
  const wanted = { code: "server_failed", message: /unable to load model/ };
  await assert.rejects(world.engine.ready(signal), wanted);
  const tries = world.starts().length;
  await assert.rejects(world.engine.ready(signal), wanted);
  assert.equal(world.starts().length, tries + 1);
  assert.equal(world.engine.state, "lost");
});

test("another model is picked, and the one before has ended by then", async () => {
  await using world = await makeWorld({ on: { big: bigFile, small: smallFile, mine: bigFile } });
  const before = await world.engine.ready(signal);
  await world.engine.use("small");
  assert.equal(await statusOf(`${before.url}/models`), 0);
  const after = await world.engine.ready(signal);
  assert.equal(after.model, "small");
  await world.engine.use("mine");
  assert.equal((await world.engine.ready(signal)).model, "mine");
  const used = (await world.engine.models()).filter((row) => row.used);
  assert.deepEqual(
    used.map((row) => row.name),
    ["mine"],
  );
  await assert.rejects(world.engine.use("toy"), { code: "not_fetched" });
  await assert.rejects(world.engine.use("none"), { code: "no_model", hint: /big.*mine/ });
});

test("a model picked while another is fetched answers at once, also who waited for the other", async () => {
  const asked = Promise.withResolvers<void>();
  await using world = await makeWorld({
    on: { small: smallFile },
    engine: { wanted: "big" },
    behave: () => {
      asked.resolve();
      return true;
    },
  });
  const first = world.engine.ready(signal);
  await asked.promise;
  await world.engine.use("small");
  assert.equal((await first).model, "small");
  const [job] = world.engine.jobs();
  const ended = world.when(() => world.jobs.at(-1)?.state === "cancelled");
  world.engine.cancel(job?.job ?? "");
  await ended;
  assert.equal((await world.engine.ready(signal)).model, "small");
  assert.equal(world.starts().length, 1);
});

test("models are listed, fetched by name as one job, and removed unless in use", async () => {
  await using world = await makeWorld({ on: { small: smallFile } });
  const rows = await world.engine.models();
  assert.deepEqual(
    rows.map(({ name, on_disk, used }) => [name, on_disk, used]),
    [
      ["big", false, false],
      ["small", true, true],
      ["toy", false, false],
    ],
  );
  const job = world.engine.fetch("toy");
  assert.equal(world.engine.fetch("toy"), job);
  await assert.rejects(world.engine.remove("toy"), (thrown) => {
    assert.ok(thrown instanceof Error && "code" in thrown);
    assert.ok(thrown.code === "busy" || thrown.code === "not_fetched");
    return true;
  });
  await world.when(() => world.jobs.some((one) => one.job === job && one.state === "done"));
  assert.equal(statSync(world.file("toy")).size, bigFile.length);
  assert.throws(() => world.engine.fetch("toy"), { code: "on_disk" });
  assert.throws(() => world.engine.fetch("none"), { code: "no_model" });
  await world.engine.remove("toy");
  assert.equal(existsSync(world.file("toy")), false);
  await assert.rejects(world.engine.remove("toy"), { code: "not_fetched" });
  await assert.rejects(world.engine.remove("small"), { code: "in_use" });
});

test("a failed fetch tells in its job what was tried", async () => {
  await using world = await makeWorld({ files: {}, env: { PATH: "/nonexistent" } });
  world.engine.fetch("small");
  await world.when(() => world.jobs.some((job) => job.state === "failed"));
  const { message } = world.jobs.at(-1) ?? { message: "" };
  assert.ok(message.includes(new URL(world.hub.url).host), message);
  assert.match(message, /python3.*python3-pip/s);
});

test("closing ends server and jobs, and nothing starts after it", async () => {
  const asked = Promise.withResolvers<void>();
  const world = await makeWorld({
    on: { big: bigFile },
    behave: () => {
      asked.resolve();
      return true;
    },
  });
  const { url } = await world.engine.ready(signal);
  world.engine.fetch("toy");
  await asked.promise;
  await world.engine.close();
  assert.equal(await statusOf(`${url}/models`), 0);
  assert.equal(world.jobs.at(-1)?.state, "cancelled");
  await assert.rejects(world.engine.ready(signal), { code: "closed" });
  await world[Symbol.asyncDispose]();
});
