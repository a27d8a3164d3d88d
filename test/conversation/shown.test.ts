// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What of a reply is shown: held back while it may be a call, however long it becomes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shown } from "../../src/conversation/shown.ts";
import { RunningTurn } from "../../src/conversation/turn.ts";

/** What is shown of these deltas while `holds` is true of their text. */
function shownOf(deltas: readonly string[], holds: (text: string) => boolean, words?: string) {
  const tokens: string[] = [];
  const turn = new RunningTurn("k", "q", (event) => {
    if (event.type === "token") tokens.push(event.delta);
  });
  const shown = new Shown(turn, holds, () => undefined);
  for (const delta of deltas) shown.text(delta);
  const before = [...tokens];
  shown.release(words);
  return { before, tokens };
}

test("what was held is shown delta by delta, or as other words at once", () => {
  const deltas = ["{", "Oslo", "} is"];
  const some = shownOf(deltas, (text) => text.length < 4);
  assert.deepEqual(some.before, deltas);
  assert.deepEqual(some.tokens, deltas);
  assert.deepEqual(shownOf(deltas, () => true, "{Oslo} is").tokens, deltas);
  assert.deepEqual(shownOf(deltas, () => true, "Big.").tokens, ["Big."]);
});

test("a reply of a hundred thousand deltas is held in a short time", () => {
  const begun = performance.now();
  const { before, tokens } = shownOf(new Array<string>(100_000).fill("\n"), () => true);
  assert.deepEqual([before.length, tokens.length], [0, 100_000]);
  assert.ok(performance.now() - begun < 5000);
});
