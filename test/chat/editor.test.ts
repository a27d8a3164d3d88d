// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The line editor, key by key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommand } from "../../src/chat/commands.ts";
import { type Action, Editor } from "../../src/chat/editor.ts";
import { paint } from "../../src/chat/line.ts";
import { promptLines } from "../../src/chat/prompt.ts";

/** "abc" types; "<C-a>", "<M-b>", "<left>" are keys. */
function press(editor: Editor, keys: string): Action[] {
  return [...keys.matchAll(/<(?:(C|M)-)?([a-z-]+)>|(.)/gsu)].map(([, modifier, name, typed]) =>
    typed === undefined
      ? editor.press(undefined, {
          name: name ?? "",
          ctrl: modifier === "C",
          meta: modifier === "M",
        })
      : editor.press(typed, { name: typed, sequence: typed }),
  );
}

function after(keys: string): string {
  const editor = new Editor();
  press(editor, keys);
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

test("keys move and delete by characters and words", () => {
  const cases: [string, string][] = [
    ["abc<left>x", "abx|c"],
    ["abc<home>x<end>y", "xabcy|"],
    ["one two<C-a>x<C-e>y", "xone twoy|"],
    ["one two three<M-b><M-b>x", "one x|two three"],
    ["one two<C-w>", "one |"],
    ["one two<M-b><C-k>", "one |"],
    ["one two<C-u>x", "x|"],
    ["one two<C-w><C-a><C-y>", "two|one "],
    ["abc<backspace><backspace>", "a|"],
    ["abc<home><delete><C-d>", "|c"],
    ["ab<C-b><C-f>c<C-h>", "ab|"],
    ["è🚀é<backspace><left><backspace>", "|🚀"],
    ["one<C-left>x<C-right>y", "xoney|"],
    ["a<tab>b<escape>c", "abc|"],
    ["a<M-return>b", "a\nb|"],
  ];
  for (const [keys, wanted] of cases) assert.equal(after(keys), wanted, keys);
});

test("a character of several code points is one step", () => {
  assert.equal(after("e\u0301👩‍🚀<backspace><left>x"), "x|e\u0301");
});

test("Enter gives the text and empties the line; an empty line gives nothing", () => {
  const editor = new Editor();
  assert.deepEqual(press(editor, "hi<return>").at(-1), { type: "enter", text: "hi" });
  assert.equal(editor.text, "");
  assert.deepEqual(press(editor, " <return>"), [null, null]);
});

test("arrow keys bring earlier questions back, and the draft after them", () => {
  const editor = new Editor();
  editor.seed(["first", "second"]);
  press(editor, "draft<up>");
  assert.equal(editor.text, "second");
  press(editor, "<up><up><up>");
  assert.equal(editor.text, "first");
  press(editor, "<down><down><down>");
  assert.equal(editor.text, "draft");
  press(editor, "<return><up>");
  assert.equal(editor.text, "draft");
});

test("a pasted text may hold newlines and is not sent before Enter", () => {
  const editor = new Editor();
  editor.press(undefined, { name: "paste-start" });
  press(editor, "a");
  editor.press("\r", { name: "return", sequence: "\r" });
  editor.press("\x1b", { name: "escape", sequence: "\x1b" });
  press(editor, "b");
  editor.press(undefined, { name: "paste-end" });
  assert.equal(editor.text, "a\nb");
  assert.deepEqual(press(editor, "<return>"), [{ type: "enter", text: "a\nb" }]);
});

test("Ctrl-C, Ctrl-D on an empty line, Ctrl-T, Ctrl-L and Ctrl-Z are for the chat", () => {
  const editor = new Editor();
  assert.deepEqual(
    press(editor, "<C-c><C-d><C-t><C-l><C-z>").map((action) => action?.type),
    ["interrupt", "end", "unfold", "redraw", "suspend"],
  );
  assert.deepEqual(press(editor, "a<home><C-d>"), [null, null, null]);
});

function drawn(text: string, options: { columns: number; rows?: number; cursor?: number }) {
  const { columns, rows = 10, cursor = text.length } = options;
  const made = promptLines({ text, cursor }, { columns, rows, mark: "› " });
  return { lines: made.lines.map((line) => paint(line, "none")), cursor: made.cursor };
}

test("a long question goes on below its mark", () => {
  assert.deepEqual(drawn("abcdefgh", { columns: 7 }), {
    lines: ["› abcde", "  fgh"],
    cursor: { row: 1, column: 5 },
  });
  assert.deepEqual(drawn("日本語", { columns: 7, cursor: 2 }), {
    lines: ["› 日本", "  語"],
    cursor: { row: 1, column: 2 },
  });
});

test("of a question taller than its place the lines around the cursor are drawn", () => {
  const { lines, cursor } = drawn("a\nb\nc\nd\ne", { columns: 9, rows: 3, cursor: 4 });
  assert.deepEqual(lines, ["  b", "  c", "  d"]);
  assert.deepEqual(cursor, { row: 1, column: 2 });
});

test("commands are read, and what is none is a question", () => {
  assert.deepEqual(readCommand("/new"), { type: "new" });
  assert.deepEqual(readCommand(" /open 12 "), { type: "open", id: 12 });
  assert.deepEqual(readCommand("/search two words"), { type: "search", words: "two words" });
  assert.deepEqual(readCommand("/model"), { type: "model", name: null });
  assert.deepEqual(readCommand("/model a-b"), { type: "model", name: "a-b" });
  assert.equal(readCommand("/etc/fstab, what is it?"), null);
  assert.equal(readCommand("what is /new"), null);
  assert.deepEqual(readCommand("/open x")?.type, "wrong");
  assert.deepEqual(readCommand("/lis"), {
    type: "wrong",
    message: "There is no command /lis. Do you mean /list?",
  });
});
