// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Thoughts in the text, cut at every place: never a tag on the screen, never a word lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Thoughts } from "../../src/model/thoughts.ts";

/** All thoughts and all words of a reply that comes in these pieces. */
function sorted(pieces: readonly string[]): { think: string; text: string } {
  const thoughts = new Thoughts();
  const parts = [...pieces.flatMap((piece) => thoughts.take(piece)), ...thoughts.end()];
  for (const { delta } of parts) assert.notEqual(delta, "");
  const all = (wanted: string) =>
    parts
      .filter(({ type }) => type === wanted)
      .map(({ delta }) => delta)
      .join("");
  return { think: all("think"), text: all("text") };
}

const cases: [what: string, reply: string, think: string, text: string][] = [
  ["thoughts and words", "<think>A\nB</think>\n\nHello", "A\nB", "Hello"],
  ["spaces before the tag", " \n<think>A</think>Hi", "A", "Hi"],
  ["no thoughts inside", "<think>\n</think>\n\nHi", "\n", "Hi"],
  ["thoughts that do not end", "<think>A </thin", "A </thin", ""],
  ["tags that are none", "<think>a </b> </thi </think>x", "a </b> </thi ", "x"],
  ["no thoughts", " Hello <think>you</think>", "", " Hello <think>you</think>"],
  ["a second tag", "<think>A</think>B <think>C</think>", "A", "B <think>C</think>"],
  ["half a tag", "<thi", "", "<thi"],
  ["a tag of another kind", "<thing>", "", "<thing>"],
  ["spaces alone", " \n", "", " \n"],
  ["nothing", "", "", ""],
];
for (const [what, reply, think, text] of cases)
  test(`a reply with ${what} is sorted wherever it is cut`, () => {
    assert.deepEqual(sorted([reply]), { think, text });
    assert.deepEqual(sorted([...reply]), { think, text });
    for (let at = 0; at <= reply.length; at += 1)
      assert.deepEqual(sorted([reply.slice(0, at), reply.slice(at)]), { think, text });
  });

test("pieces without thoughts stay as they came", () => {
  const thoughts = new Thoughts();
  const pieces = [" ", "<", "b>", "bold", " "];
  const deltas = pieces.map((piece) => thoughts.take(piece).map(({ delta }) => delta));
  assert.deepEqual(deltas, [[], [], [" ", "<", "b>"], ["bold"], [" "]]);
  assert.deepEqual(thoughts.end(), []);
});
