// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Drawing in place: what stays, what is drawn anew, and that nothing else is touched.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Line, span } from "../../src/chat/line.ts";
import { Screen } from "../../src/chat/screen.ts";
import { Emulator } from "../support/emulator.ts";

const lines = (...texts: string[]): Line[] => texts.map((text) => [span(text)]);

function open(options: { columns?: number; rows?: number } = {}) {
  const terminal = new Emulator(options);
  terminal.write("before\r\n");
  return { terminal, screen: new Screen(terminal, "colour") };
}

test("live lines are replaced, lines that stay stand above them", () => {
  const { terminal, screen } = open();
  screen.draw([], { lines: lines("one", "two") });
  screen.draw([], { lines: lines("one", "2") });
  assert.deepEqual(terminal.lines, ["before", "one", "2"]);
  screen.draw(lines("one", "stays"), { lines: lines("live") });
  assert.deepEqual(terminal.lines, ["before", "one", "stays", "live"]);
  screen.draw(lines("more"), { lines: [] });
  assert.deepEqual(terminal.lines, ["before", "one", "stays", "more"]);
  assert.deepEqual(terminal.cursor, { row: 4, column: 0 });
  assert.deepEqual(terminal.unknown, []);
});

test("the cursor stands where the text is typed, and is hidden when nothing is", () => {
  const { terminal, screen } = open();
  screen.draw([], { lines: lines("status", "› abc", "  def"), cursor: { row: 1, column: 3 } });
  assert.deepEqual([terminal.cursor, terminal.cursorShown], [{ row: 2, column: 3 }, true]);
  screen.draw([], { lines: lines("status", "› abc"), cursor: { row: 1, column: 0 } });
  assert.deepEqual(terminal.cursor, { row: 2, column: 0 });
  screen.draw([], { lines: lines("x") });
  assert.equal(terminal.cursorShown, false);
  screen.end();
  assert.equal(terminal.cursorShown, true);
  assert.deepEqual(terminal.lines, ["before"]);
});

test("at the bottom of the terminal lines scroll and none is lost", () => {
  const { terminal, screen } = open({ rows: 6 });
  for (let count = 1; count <= 20; count++) {
    screen.draw(lines(`line ${count}`), {
      lines: lines(`live ${count}`, "", "› "),
      cursor: { row: 2, column: 2 },
    });
  }
  const wanted = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  assert.equal(terminal.text, ["before", ...wanted, "live 20", "", "›"].join("\n"));
});

test("a block of many lines that stay at once scrolls through", () => {
  const { terminal, screen } = open({ rows: 5 });
  screen.draw([], { lines: lines("a", "b", "c") });
  const block = Array.from({ length: 12 }, (_, at) => `line ${at}`);
  screen.draw(lines(...block), { lines: lines("end") });
  assert.equal(terminal.text, ["before", ...block, "end"].join("\n"));
});

test("lines that stand already are not written again", () => {
  const { screen, terminal } = open();
  let written = "";
  const write = terminal.write.bind(terminal);
  terminal.write = (bytes: string) => {
    written += bytes;
    return write(bytes);
  };
  screen.draw([], { lines: lines("one", "two", "three") });
  written = "";
  screen.draw([], { lines: lines("one", "two", "drei") });
  assert.doesNotMatch(written, /one|two/);
  assert.match(written, /drei/);
});

test("after a resize lines that the terminal has broken in two are taken away whole", () => {
  const { terminal, screen } = open({ columns: 40, rows: 12 });
  const long = "x".repeat(30);
  screen.draw(lines("stays"), { lines: lines(long, long, "› "), cursor: { row: 2, column: 2 } });
  // What a terminal that breaks lines anew makes of it at 20 columns.
  const narrow = new Emulator({ columns: 20, rows: 12 });
  narrow.write(`before\r\nstays\r\n${long}\r\n${long}\r\n› `);
  Object.assign(terminal, { write: narrow.write.bind(narrow) });
  terminal.columns = 20;
  screen.resized();
  screen.draw([], { lines: lines("short", "› "), cursor: { row: 1, column: 2 } });
  assert.deepEqual(narrow.lines, ["before", "stays", "short", "›"]);
});
