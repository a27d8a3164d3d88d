// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The turn as a state machine, and the parts that a request is made of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutToBytes } from "../../src/conversation/calls.ts";
import { stamp, systemText } from "../../src/conversation/prompt.ts";
import { Draft, Transcript } from "../../src/conversation/transcript.ts";
import { RunningTurn, type TurnEvent } from "../../src/conversation/turn.ts";

const stats = {
  first_token_ms: 1,
  total_ms: 2,
  prompt_tokens: 3,
  cached_tokens: null,
  output_tokens: 1,
  tools: [],
  tokens_per_second: null,
};

test("after each of the three ends only state idle comes, once", () => {
  const ends: TurnEvent[] = [
    { type: "done", id: 1, stats },
    { type: "stopped", id: null },
    { type: "error", code: "x", message: "y", hint: "" },
  ];
  for (const end of ends) {
    const seen: string[] = [];
    const turn = new RunningTurn("k", "question", (event) => seen.push(event.type));
    assert.ok(turn.emit({ type: "token", delta: "a" }));
    assert.ok(turn.emit(end));
    for (const late of [...ends, { type: "token", delta: "b" } as const])
      assert.equal(turn.emit(late), false);
    assert.deepEqual(seen, ["token", end.type, "state"]);
    assert.equal(turn.value.reply, "a");
  }
});

test("the value is the sum of the events", () => {
  const turn = new RunningTurn("k", "question", () => undefined);
  turn.emit({ type: "think", delta: "hm" });
  turn.emit({ type: "state", state: "thinking", loading: true });
  assert.equal(turn.value.loading, true);
  turn.emit({
    type: "tool",
    done: false,
    call: "c1",
    name: "calc",
    arguments: { expression: "1" },
  });
  turn.emit({ type: "state", state: "tool", tool: "calc" });
  assert.deepEqual(turn.value.calls, [
    { call: "c1", name: "calc", arguments: { expression: "1" }, state: "running" },
  ]);
  assert.equal(turn.value.tool, "calc");
  turn.emit({
    type: "tool",
    done: true,
    call: "c1",
    name: "calc",
    ok: true,
    latency_ms: 5,
    text: "1",
    card: null,
  });
  turn.emit({ type: "state", state: "thinking" });
  const [call] = turn.value.calls;
  assert.equal(call?.state, "done");
  assert.deepEqual(
    [turn.value.state, turn.value.tool, turn.value.loading, turn.value.think],
    ["thinking", null, false, "hm"],
  );
});

test("the progress of reading is gone with the first word, whoever comes late", () => {
  for (const type of ["token", "think"] as const) {
    const turn = new RunningTurn("k", "question", () => undefined);
    turn.emit({ type: "progress", processed: 1, total: 2, cached: 0 });
    assert.deepEqual(turn.value.progress, { processed: 1, total: 2, cached: 0 });
    turn.emit({ type, delta: "a" });
    assert.equal(turn.value.progress, null);
  }
});

test("a transcript keeps the bytes of what it was given, and drops whole turns from the front", () => {
  const transcript = new Transcript([{ role: "system", content: "s" }]);
  transcript.seal([
    { role: "user", content: "one" },
    { role: "assistant", content: "eins" },
  ]);
  const before = transcript.strings(new Draft());
  transcript.seal([
    { role: "user", content: "two" },
    { role: "assistant", content: "zwei" },
  ]);
  const draft = new Draft();
  draft.append([{ role: "user", content: "three \ud800" }]);
  assert.deepEqual(transcript.strings(draft).slice(0, 3), before);
  assert.ok(transcript.strings(draft).every((text) => text.isWellFormed()));
  assert.equal(transcript.cut(transcript.size.turns), 0);
  assert.equal(transcript.cut(transcript.size.turns - 1), 1);
  assert.deepEqual(transcript.strings(draft)[1], '{"role":"user","content":"two"}');
});

test("the stamp has the clock, the system message only dates", () => {
  const now = new Date(2026, 10, 30, 10, 45);
  assert.equal(stamp(now), "[Monday 30 November 2026, 10:45] ");
  const persona = {
    system: "Be short.",
    assistantName: "Ada",
    person: { name: null, address: "Boss" },
  };
  const text = systemText(persona, now);
  assert.match(
    text,
    /^Be short\.\nYour name is Ada\.\nAddress the person as "Boss"\.\nToday is Monday 2026-11-30\. Next days: Tuesday 2026-12-01/,
  );
  assert.equal(text, systemText(persona, new Date(2026, 10, 30, 23, 59)));
  assert.doesNotMatch(text, /10:45/);
});

test("a result that finds no room is cut between characters and marked", () => {
  assert.equal(cutToBytes("abc", 3), "abc");
  assert.equal(cutToBytes("a🎉b", 4), "a\n[cut: the model's context has no room for the rest]");
});
