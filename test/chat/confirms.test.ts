// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which question for a yes is open, and what stays of it when it is settled.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Line, paint } from "../../src/chat/line.ts";
import { Page } from "../../src/chat/page.ts";
import type { Received } from "../../src/protocol/events.ts";

const ask = (call: string, key = "k") =>
  ({
    type: "confirm",
    key,
    call,
    name: "make",
    why: "it may change something",
    argv: ["touch", call],
    expires: 1,
  }) satisfies Received;
const settle = (call: string, allow: boolean, reason: "answer" | "expired" = "answer") =>
  ({ type: "confirmed", key: "k", call, allow, reason }) satisfies Received;

/** A page on which a turn asks; what stays is given without blank lines. */
function open(...events: Received[]) {
  const page = new Page();
  const receive = (...more: Received[]) => {
    const lines: Line[] = more.flatMap((event) => page.receive(event, 60));
    return lines.map((line) => paint(line, "none")).filter((text) => text !== "");
  };
  receive({ type: "user", text: "go", key: "k" }, ...events);
  return { page, receive };
}

test("one that was answered here leaves what was said", () => {
  for (const allow of [true, false]) {
    const { page, receive } = open(ask("1"));
    assert.ok(page.confirms.first);
    page.confirms.say(page.confirms.first, allow);
    assert.equal(page.confirms.first, null);
    assert.deepEqual(receive(settle("1", allow)), [allow ? "allowed: make" : "refused: make"]);
  }
});

test("one that another client answered first says so, whatever was said here", () => {
  const { page, receive } = open(ask("1"), ask("2"));
  assert.deepEqual(receive(settle("1", true)), ["answered elsewhere: yes: make"]);
  assert.ok(page.confirms.first);
  page.confirms.say(page.confirms.first, true);
  assert.deepEqual(receive(settle("2", false)), ["answered elsewhere: no: make"]);
});

test("one that nobody answered in time is gone", () => {
  const { page, receive } = open(ask("1"));
  assert.deepEqual(receive(settle("1", false, "expired")), [
    "expired: nobody said yes to make in time",
  ]);
  assert.equal(page.confirms.first, null);
});

test("they are asked in their order, and calls of the same name in two turns are two", () => {
  const { page, receive } = open(ask("1"), ask("1", "other"));
  assert.equal(page.confirms.first?.key, "k");
  receive(settle("1", false));
  assert.equal(page.confirms.first?.key, "other");
});

test("the end of a turn, however it ends, takes its questions and no others", () => {
  const ends: Received[] = [
    { type: "done", id: null, stopped: true, key: "k" },
    { type: "error", message: "lost", key: "k" },
  ];
  for (const end of ends) {
    const { page, receive } = open(ask("1"), ask("run", "hand"));
    receive(end);
    assert.equal(page.confirms.first?.key, "hand");
    assert.deepEqual(receive(settle("1", true)), []);
  }
});

test("one that turned out not to be open is dropped, and its end is not told again", () => {
  const { page, receive } = open(ask("1"));
  assert.ok(page.confirms.first);
  page.confirms.drop(page.confirms.first);
  assert.equal(page.confirms.first, null);
  assert.deepEqual(receive(settle("1", true)), []);
});
