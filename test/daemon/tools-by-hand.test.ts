// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The command `run`: a tool by hand, with the same question before a change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Confirmations } from "../../src/daemon/confirmations.ts";
import type { Confirmed, ConfirmRequest } from "../../src/message.ts";
import { answer, wiping } from "../support/wiping.ts";

const run = { type: "run", name: "wipe", arguments: { what: "all" }, req: "r" };
const slow = 'description = "Takes long"\ncommand = ["sleep", "100"]\ntimeout = 100\n';
const ranAs = ({ type, req }: { type: string; req?: unknown }) => type === "ran" && req === "r";

test("a change by hand asks who runs it and who watches, and a yes of either runs it", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const [hand, other] = [await connect("confirm"), await connect("confirm")];
  hand.send(run);
  const asked = await hand.next("confirm");
  assert.deepEqual(await other.next("confirm"), asked);
  await other.ask(answer(asked, true));
  const { ok, text } = await hand.next(ranAs);
  assert.deepEqual([ok, text, ran()], [true, "(no output)", "all|--||"]);
  assert.equal((await hand.ask(answer(asked, true))).code, "not_open");
});

test("a no by hand, or nobody to ask, runs nothing and says so", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const hand = await connect("confirm");
  hand.send(run);
  await hand.ask(answer(await hand.next("confirm"), false));
  const refused = hand.lines.find(ranAs) ?? (await hand.next(ranAs));
  assert.deepEqual(
    [refused.ok, refused.error],
    [false, "wipe was not run: the person said no. Do not try it again"],
  );
  await hand.ask({ type: "features", names: [] });
  const alone = await hand.ask(run);
  assert.match(String(alone.error), /^wipe was not run: the person must confirm it, and nobody/);
  assert.equal(ran(), "");
});

test("a reading tool and one that never asks run by hand at once, and a fault is a result", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const hand = await connect();
  assert.equal((await hand.ask({ type: "run", name: "mail" })).text, "Hello.");
  assert.equal((await hand.ask({ ...run, name: "free", arguments: '{"what":"x"}' })).ok, true);
  assert.equal(ran(), "x|--||");
  assert.equal(
    (await hand.ask({ type: "run", name: "nowhere" })).text,
    "error: no tool named nowhere",
  );
  assert.equal((await hand.ask({ type: "run", name: "mail", arguments: 7 })).code, "bad_field");
  assert.equal((await hand.ask({ type: "run" })).code, "bad_field");
});

test("a question that nobody answers is a no when its time is over", async () => {
  const confirmations = new Confirmations({ life: 20 });
  const told: (({ type: "confirm" } & ConfirmRequest) | ({ type: "confirmed" } & Confirmed))[] = [];
  const question = { call: "c", name: "wipe", why: "it may", arguments: {} };
  const hearers = { present: () => true, tell: (event: (typeof told)[number]) => told.push(event) };
  const { signal } = new AbortController();
  const verdict = await confirmations.ask("k", question, hearers, signal);
  assert.deepEqual(verdict, { allow: false, reason: "expired" });
  assert.deepEqual(
    told.map(({ type }) => type),
    ["confirm", "confirmed"],
  );
  assert.deepEqual(told[1], { type: "confirmed", call: "c", allow: false, reason: "expired" });
  assert.throws(() => confirmations.answer("k", "c", true), { code: "not_open" });
});

test("a yes after its time is late, also when the machine slept meanwhile", async () => {
  let now = 0;
  const confirmations = new Confirmations({ now: () => now });
  const question = { call: "c", name: "wipe", why: "it may", arguments: {} };
  const hearers = { present: () => true, tell: () => undefined };
  const { signal } = new AbortController();
  const verdict = confirmations.ask("k", question, hearers, signal);
  now = 120_001;
  assert.throws(() => confirmations.answer("k", "c", true), { code: "not_open" });
  assert.deepEqual(await verdict, { allow: false, reason: "expired" });
});

test("a stop of its session ends what runs by hand, and nothing of another session", async (t) => {
  const { client: connect } = await wiping(t, { tools: { "slow.toml": slow } });
  const hand = await connect();
  hand.send({ type: "run", name: "slow", session: "mine", req: "mine" });
  hand.send({ type: "run", name: "slow", session: "other", req: "other" });
  hand.send({ type: "stop", session: "mine" });
  assert.equal((await hand.next(({ req }) => req === "mine")).code, "stopped");
  assert.ok(!hand.lines.some(({ req }) => req === "other"));
  hand.send({ type: "stop", session: "other" });
  assert.equal((await hand.next(({ req }) => req === "other")).code, "stopped");
});

test("who was asked about a run that was stopped is told that it is over", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const [hand, other] = [await connect(), await connect("confirm")];
  hand.send(run);
  const asked = await other.next("confirm");
  await hand.ask({ type: "stop" });
  const { allow, reason } = await other.next("confirmed");
  assert.deepEqual([allow, reason, ran()], [false, "expired", ""]);
  assert.equal((await other.ask(answer(asked, true))).code, "not_open");
});

test("who leaves while it is asked is no fault for the log", async (t) => {
  const { client: connect, daemon } = await wiping(t);
  const [hand, other] = [await connect("confirm"), await connect("confirm")];
  hand.send(run);
  const asked = await other.next("confirm");
  await hand.end();
  await other.ask(answer(asked, true));
  await daemon.stop();
  assert.deepEqual(
    daemon.log.filter((line) => line.includes("bug")),
    [],
  );
});
