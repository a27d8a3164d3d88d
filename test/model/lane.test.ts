// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Who may send next to a server (cases/streams.md, row B4).
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane } from "../../src/model/lane.ts";
import type { LeaseKind } from "../../src/model/model.ts";

const never = new AbortController().signal;

test("leases are given in the order answer, tool, title, warm-up, and by arrival inside a kind", async () => {
  const lane = new Lane();
  const first = await lane.acquire("answer", { signal: never });
  const granted: string[] = [];
  const ask = async (kind: LeaseKind, name: string) => {
    const lease = await lane.acquire(kind, { signal: never });
    granted.push(name);
    lease.release();
  };
  const asked = [
    ask("warm-up", "warm-up"),
    ask("title", "title"),
    ask("answer", "answer 1"),
    ask("tool", "tool"),
    ask("answer", "answer 2"),
  ];
  first.release();
  await Promise.all(asked);
  assert.deepEqual(granted, ["answer 1", "answer 2", "tool", "title", "warm-up"]);
  assert.equal(lane.idle, true);
});

test("a free lane grants without a wait, a taken one says once that it is taken", async () => {
  const lane = new Lane();
  let waits = 0;
  const onWaiting = () => {
    waits += 1;
  };
  const first = await lane.acquire("answer", { signal: never, onWaiting });
  assert.equal(waits, 0);
  const second = lane.acquire("answer", { signal: never, onWaiting });
  assert.equal(waits, 1);
  first.release();
  (await second).release();
  assert.equal(waits, 1);
});

test("B4: a request that is cancelled in the queue leaves the running one alone", async () => {
  const lane = new Lane();
  const running = await lane.acquire("answer", { signal: never });
  const stop = new AbortController();
  const queued = lane.acquire("answer", { signal: stop.signal });
  const behind = lane.acquire("answer", { signal: never });
  const reason = new Error("stopped");
  stop.abort(reason);
  await assert.rejects(queued, (thrown) => thrown === reason);
  assert.equal(running.signal.aborted, false);
  running.release();
  assert.equal((await behind).signal.aborted, false);
});

test("an aborted caller gets no lease", async () => {
  const lane = new Lane();
  await assert.rejects(lane.acquire("answer", { signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
  assert.equal(lane.idle, true);
});

test("an answer makes a warm-up and a title step aside, but neither a tool nor an answer", async () => {
  for (const [kind, yields] of [
    ["warm-up", true],
    ["title", true],
    ["tool", false],
    ["answer", false],
  ] as const) {
    const lane = new Lane();
    const running = await lane.acquire(kind, { signal: never });
    const answer = lane.acquire("answer", { signal: never });
    assert.equal(running.signal.aborted, yields, kind);
    if (yields) assert.equal(running.signal.reason.code, "preempted");
    running.release({ interrupted: running.signal.aborted });
    (await answer).release();
  }
});

test("a title waits for a warm-up, and one answer stops no more than it needs", async () => {
  const lane = new Lane({ capacity: 2 });
  const title = await lane.acquire("title", { signal: never });
  const warm = await lane.acquire("warm-up", { signal: never });
  const other = lane.acquire("title", { signal: never });
  assert.deepEqual([title.signal.aborted, warm.signal.aborted], [false, false]);
  const answer = lane.acquire("answer", { signal: never });
  assert.deepEqual([title.signal.aborted, warm.signal.aborted], [false, true]);
  warm.release({ interrupted: true });
  (await answer).release();
  (await other).release();
});

test("after a broken-off request the next one waits until the server is idle", async () => {
  const idle = Promise.withResolvers<void>();
  const asked: number[] = [];
  const lane = new Lane({
    untilIdle: (allowed) => {
      asked.push(allowed());
      return idle.promise;
    },
  });
  const first = await lane.acquire("answer", { signal: never });
  first.release({ interrupted: true });
  let waiting = false;
  const second = lane.acquire("answer", {
    signal: never,
    onWaiting: () => {
      waiting = true;
    },
  });
  assert.deepEqual([waiting, lane.idle, asked], [true, false, [0]]);
  idle.resolve();
  (await second).release();
  assert.equal(lane.idle, true);
});

test("a wait for idleness that fails lets the next request go", async () => {
  const lane = new Lane({ untilIdle: () => Promise.reject(new Error("gone")) });
  (await lane.acquire("answer", { signal: never })).release({ interrupted: true });
  (await lane.acquire("answer", { signal: never })).release();
});

test("a second release does nothing", async () => {
  const lane = new Lane();
  const first = await lane.acquire("answer", { signal: never });
  first.release();
  const second = await lane.acquire("answer", { signal: never });
  first.release();
  let waiting = false;
  const third = lane.acquire("answer", {
    signal: never,
    onWaiting: () => {
      waiting = true;
    },
  });
  assert.equal(waiting, true);
  second.release();
  (await third).release();
});

test("closing aborts what runs and turns away what waits", async () => {
  const lane = new Lane();
  const running = await lane.acquire("answer", { signal: never });
  const queued = lane.acquire("answer", { signal: never });
  lane.close();
  await assert.rejects(queued, { code: "closed" });
  assert.equal(running.signal.aborted, true);
  await assert.rejects(lane.acquire("answer", { signal: never }), { code: "closed" });
});
