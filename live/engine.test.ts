// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks the embedded engine with the real llama-server and a real small model, fetched as a person's would be.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { Job } from "../src/message.ts";
import { Engine } from "../src/model/engine/engine.ts";
import type { EnginePlace } from "../src/model/engine/launch.ts";
import { cacheFolder as folder } from "./home.ts";

const signal = AbortSignal.timeout(850_000);

/** The process that serves a model of our folder. */
function serverPid(): number {
  const mine = join(folder, "models");
  const children = readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").trim().split(" "),
  );
  const pid = children.find(
    (child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes(mine),
  );
  assert.ok(pid);
  return Number(pid);
}

function post(place: EnginePlace, body: unknown): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${place.apiKey}`, "content-type": "application/json" };
  const url = `${place.url}/chat/completions`;
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", headers, agent: false, signal }, (answer) => {
      text(answer).then(
        (whole) => resolve({ status: answer.statusCode ?? 0, body: whole }),
        reject,
      );
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

test("the real engine is fetched, answers, comes back after it was killed, and ends", async () => {
  mkdirSync(folder, { recursive: true });
  const jobs: Job[] = [];
  const states: string[] = [];
  const lost = Promise.withResolvers<void>();
  // A llama-server on PATH would be taken first; this is about the one that is fetched.
  const engine = new Engine({
    config: { command: null, threads: null, context: 2048, gpuLayers: null, batch: null },
    folder,
    env: process.env,
    wanted: "smollm2-135m",
    onJob: (job) => jobs.push(job),
    onNotice: (notice) => console.error(notice.message),
    onState: (state) => {
      states.push(state);
      if (state === "lost") lost.resolve();
    },
  });
  try {
    const place = await engine.ready(signal);
    assert.equal(place.model, "smollm2-135m");
    assert.ok(jobs.filter((job) => job.state !== "running").every((job) => job.state === "done"));
    const question = { max_tokens: 8, messages: [{ role: "user", content: "Say hello." }] };
    const answer = await post(place, question);
    assert.equal(answer.status, 200, answer.body);
    assert.match(answer.body, /"content":"[^"]+/);
    assert.equal((await post({ ...place, apiKey: "wrong" }, question)).status, 401);
    process.kill(serverPid(), "SIGABRT");
    await lost.promise;
    const again = await engine.ready(signal);
    assert.equal((await post(again, question)).status, 200);
  } finally {
    await engine.close();
  }
  assert.equal(engine.jobs().length, 0);
});
