// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is shown of a turn's events: the lines that stay and the ones that still change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Line, paint } from "../../src/chat/line.ts";
import { Page } from "../../src/chat/page.ts";
import type { Received } from "../../src/protocol/events.ts";

const hint = " (Ctrl-T shows them)";
const text = (lines: Line[]) => lines.map((line) => paint(line, "none").trimEnd());

function watch(events: Received[], options: { columns?: number; page?: Page } = {}) {
  const { columns = 60, page = new Page({ hint }) } = options;
  const stay = events.flatMap((event) => page.receive(event, columns));
  stay.push(...page.settled(columns));
  return { page, stay: text(stay), live: text(page.live(columns, 20, 0)) };
}

const calc: Received[] = [
  { type: "tool", name: "calc", done: false, call: "1", arguments: { expression: "2+2" } },
  { type: "state", state: "tool", tool: "calc" },
  { type: "tool", name: "calc", done: true, call: "1", ok: true, latency_ms: 120, text: "4" },
  { type: "state", state: "thinking" },
];
const question: Received[] = [
  { type: "user", text: "What is 2+2?" },
  { type: "state", state: "thinking" },
];

test("a whole turn leaves question, folded thought, tool and answer", () => {
  const { stay, live } = watch([
    ...question,
    { type: "think", delta: "Let me " },
    { type: "think", delta: "see." },
    ...calc,
    { type: "token", delta: "It is " },
    { type: "token", delta: "**4**." },
    { type: "done", id: 1 },
    { type: "state", state: "idle" },
  ]);
  assert.deepEqual(stay, [
    "› What is 2+2?",
    "",
    "Thought: 11 characters (Ctrl-T shows them)",
    "",
    "· calc expression=2+2  0.1 s",
    "  4",
    "",
    "It is 4.",
    "",
  ]);
  assert.deepEqual(live, []);
});

test("a block stays when the next one has begun; the one being written is live", () => {
  const { stay, live } = watch([...question, { type: "token", delta: "One.\n\nTwo **bo" }]);
  assert.deepEqual(stay, ["› What is 2+2?"]);
  assert.deepEqual(live, ["", "One.", "", "Two **bo"]);
  const more = watch([...question, { type: "token", delta: "One.\n\nTwo\n\nThree" }]);
  assert.deepEqual(more.stay, ["› What is 2+2?", "", "One."]);
  assert.deepEqual(more.live, ["", "Two", "", "Three"]);
});

test("thinking is live and folds when the answer starts; unfolding shows it with the results", () => {
  const { page, live } = watch([...question, { type: "think", delta: "a thought" }]);
  assert.deepEqual(live, ["", "│ a thought"]);
  const end: Received[] = [...calc, { type: "token", delta: "4" }, { type: "done", id: 1 }];
  watch(end, { page });
  assert.deepEqual(text(page.unfold(60)), ["│ a thought", "· calc expression=2+2  0.1 s", "  4"]);
  const next = watch(
    [
      ...question,
      { type: "think", delta: "more" },
      { type: "token", delta: "4" },
      { type: "done", id: 1 },
    ],
    { page },
  );
  assert.deepEqual(next.stay, ["› What is 2+2?", "", "│ more", "", "4", ""]);
  assert.deepEqual(text(page.unfold(60)), ["Thinking is folded."]);
});

test("a long result is cut and said to be so", () => {
  const long: Received = {
    type: "tool",
    name: "list",
    done: true,
    call: "1",
    ok: true,
    latency_ms: 1,
    text: "a\nb\nc\nd\ne",
  };
  const { stay } = watch([...question, long]);
  assert.deepEqual(stay.slice(2), [
    "· list  0.0 s",
    "  a",
    "  b",
    "  … 3 more lines (Ctrl-T shows them)",
  ]);
});

test("a stop is told, and so are errors with their hints", () => {
  const stopped = watch([
    ...question,
    { type: "token", delta: "Wel" },
    { type: "done", id: null, stopped: true },
  ]);
  assert.deepEqual(stopped.stay.slice(1), ["", "Wel", "", "(stopped)", ""]);
  const failed = watch([...question, { type: "error", message: "no server", hint: "Start one." }]);
  assert.deepEqual(failed.stay.slice(1), ["", "no server", "Start one.", ""]);
  assert.equal(failed.page.running, false);
});

test("a notice and what to do about it are two sentences", () => {
  const notice = (message: string) =>
    watch([{ type: "notice", code: "x", message, hint: "Mend it." }]);
  assert.deepEqual(notice("typ is ignored").stay.at(0), "* typ is ignored. Mend it.");
  assert.deepEqual(notice("Is that right?").stay.at(0), "* Is that right? Mend it.");
});

test("under an answer that says what no tool did, that is said", () => {
  const { stay } = watch([
    ...question,
    { type: "token", delta: "I saved it." },
    { type: "done", id: 1, unbacked: true },
  ]);
  const said = "No tool did what this answer says: nothing was changed.";
  assert.deepEqual(stay.slice(1), ["", "I saved it.", "", said, ""]);
});

test("an answer to a request is not shown twice", () => {
  assert.deepEqual(watch([{ type: "error", message: "x", req: "1" }]).stay, []);
});

test("reading, waiting and loading are told", () => {
  const live = (event: Received) => watch([...question, event]).live.at(-1);
  assert.equal(
    live({ type: "state", state: "thinking", loading: true }),
    "The model is being made ready …",
  );
  assert.match(live({ type: "state", state: "thinking", waiting: true }) ?? "", /^Waiting/);
  assert.equal(
    live({ type: "progress", processed: 500, total: 1000, cached: 0 }),
    "Reading ██████████░░░░░░░░░░ 500 of 1000 tokens",
  );
});

test("the queue and the jobs stand below, and a job's end stays", () => {
  const job = { job: "j", kind: "model", done: 50e6, total: 100e6, message: "" } as const;
  const { page, live } = watch([
    { type: "queue", items: [{ key: "a", text: "and then?" }] },
    { type: "job", ...job, state: "running" },
  ]);
  assert.deepEqual(live, [
    `Fetching the model ${"█".repeat(12)}${"░".repeat(12)} 50 % of 100 MB`,
    "next: and then?",
  ]);
  const ended = watch([{ type: "job", ...job, state: "done" }], { page });
  assert.deepEqual(ended.stay, ["Fetching the model: done", ""]);
});

test("a late joiner sees the reply in flight whole", () => {
  const { stay, live } = watch([
    {
      type: "hello",
      state: "thinking",
      model: "m",
      ctx_used: 0,
      ctx_max: 0,
      id: 3,
      protocol: 2,
      turns: [{ user: "Before?", reply: "Yes.", tools: ["now"] }],
      pending: {
        user: "Now?",
        reply: "Half an ans",
        think: "hm",
        tools: [],
        calls: [],
        queue: [],
      },
    },
  ]);
  assert.deepEqual(stay, [
    "› Before?",
    "",
    "· now",
    "",
    "Yes.",
    "",
    "› Now?",
    "",
    "Thought: 2 characters (Ctrl-T shows them)",
  ]);
  assert.deepEqual(live, ["", "Half an ans"]);
});

test("events of other sessions are left out", () => {
  const { stay } = watch([{ type: "user", text: "x", session: "other" }]);
  assert.deepEqual(stay, []);
  const own = new Page({ session: "own" });
  assert.deepEqual(watch([{ type: "user", text: "x" }], { page: own }).stay, []);
});

test("nothing that a model or a server writes reaches the terminal as a control byte", () => {
  const evil = "\x1b]0;x\x07\x9b2J\u202e";
  const { stay, live } = watch([
    { type: "user", text: evil },
    { type: "notice", code: "x", message: evil, hint: evil },
    { type: "think", delta: evil },
    { type: "tool", name: evil, done: false, call: "1", arguments: { [evil]: evil } },
    { type: "tool", name: evil, done: true, call: "1", ok: false, text: evil },
    { type: "token", delta: `${evil}\n\n\`\`\`\n${evil}\n\`\`\`\n[a](${evil})` },
    { type: "job", job: evil, kind: "model", done: 0, total: 0, state: "running", message: evil },
    { type: "queue", items: [{ key: "k", text: evil }] },
    { type: "error", message: evil, hint: evil },
  ]);
  for (const line of [...stay, ...live]) assert.equal(/\p{Cc}|\u202e/u.test(line), false, line);
});
