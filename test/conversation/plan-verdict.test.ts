// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How sure a choice was, told from its tokens: also where names begin alike.
import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, noneAfterAll } from "../../src/conversation/strategies/plan/verdict.ts";
import type { TokenOdds } from "../../src/model/model.ts";

/** Each place: the token that was taken, and the likeliest with their chances. */
const odds = (...places: [text: string, top: Record<string, number>][]): TokenOdds[] => [
  { text: '{"', logprob: 0, top: [] },
  { text: 'tool":"', logprob: 0, top: [] },
  ...places.map(([text, top]) => ({
    text,
    logprob: Math.log(top[text] ?? 1e-9),
    top: Object.entries(top).map(([one, chance]) => ({ text: one, logprob: Math.log(chance) })),
  })),
];
const names = ["size", "age", "note", "notes"];
/** A second look is told by the names that it is between. */
function verdict(some: TokenOdds[], of: readonly string[] = names) {
  const found = judge(some, { none: "none", names: of });
  return found.kind === "look" ? { kind: "look", names: [...found.shares.keys()] } : found;
}

test("a choice is taken when it was sure, or when nothing is known of it", () => {
  assert.deepEqual(verdict(odds(["size", { size: 0.95, age: 0.05 }])), { kind: "take" });
  assert.deepEqual(verdict([]), { kind: "take" });
  assert.deepEqual(verdict(odds(["size", {}])), { kind: "take" });
  assert.deepEqual(verdict(odds(["size", { I: 0.9, The: 0.1 }])), { kind: "take" });
});

test("what is no name counts for nothing", () => {
  const top = { NAME: 0.7, I: 0.2, size: 0.09, age: 0.001 };
  assert.deepEqual(verdict(odds(["size", top])), { kind: "take" });
});

test("none is taken when it was sure, and there is a second look at the tools that were near", () => {
  assert.deepEqual(verdict(odds(["none", { none: 0.9, size: 0.1 }])), { kind: "none" });
  assert.deepEqual(verdict(odds(["none", { none: 0.8, I: 0.1 }])), { kind: "none" });
  const near = (...some: string[]) => ({ kind: "look", names: [...some, "none"] });
  assert.deepEqual(verdict(odds(["none", { none: 0.7, size: 0.3 }])), near("size"));
  assert.deepEqual(
    verdict(odds(["size", { size: 0.5, age: 0.3, none: 0.2 }])),
    near("size", "age"),
  );
});

test("of names that begin alike the later tokens decide", () => {
  const note = { note: 0.97, size: 0.03 };
  assert.deepEqual(verdict(odds(["note", note], ['"', { '"': 0.96, s: 0.04 }])), { kind: "take" });
  assert.deepEqual(verdict(odds(["note", note], ['s"', { 's"': 0.6, '"': 0.4 }])), {
    kind: "look",
    names: ["notes", "note", "size", "none"],
  });
  // "no" begins a tool and none.
  assert.deepEqual(
    verdict(odds(["no", { no: 1 }], ["te", { te: 0.6, ne: 0.4 }], ['"', { '"': 1 }])),
    { kind: "look", names: ["note", "none"] },
  );
});

test("many tools of one server are no reason for a second look", () => {
  const many = Array.from(
    { length: 30 },
    (_, at) => `files__${"abcdefghijklmnopqrstuvwxyzäöüß"[at]}x`,
  );
  const sure = odds(
    ["files", { files: 0.98, none: 0.02 }],
    ["__", { __: 1 }],
    ["z", { z: 0.97, a: 0.03 }],
  );
  assert.deepEqual(verdict(sure, many), { kind: "take" });
  const unsure = odds(["files", { files: 1 }], ["__", { __: 1 }], ["z", { z: 0.6, y: 0.4 }]);
  assert.deepEqual(verdict(unsure, many), {
    kind: "look",
    names: ["files__zx", "files__yx", "none"],
  });
});

test("after a second look none is taken when both looks together tell so", () => {
  const talks = ["write", "explain", "chat"];
  const after = (before: Record<string, number>, top: Record<string, number>) =>
    noneAfterAll(odds(["size", top]), {
      before: new Map(Object.entries(before)),
      tool: "size",
      none: "none",
      talks,
    });
  const unsure = { age: 0.3, size: 0.25, none: 0.45 };
  assert.equal(after(unsure, { size: 0.4, write: 0.2, explain: 0.1, chat: 0.2, age: 0.1 }), true);
  assert.equal(after(unsure, { size: 0.8, chat: 0.2 }), false);
  assert.equal(after({ size: 0.5, age: 0.5, none: 0 }, { size: 0.4, chat: 0.6 }), false);
  assert.equal(after(unsure, {}), false);
});
