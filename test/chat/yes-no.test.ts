// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which keys answer a question for a yes, by the clock that the test holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Key } from "../../src/chat/editor.ts";
import { quietMs, YesNo } from "../../src/chat/yes-no.ts";

const confirm = {
  key: "k",
  call: "1",
  name: "touch",
  why: "it may change something",
  argv: ["touch", "x"],
  expires: 0,
};

/** A question that came at 0; a key is its letter, or what a keypress event says. */
function ask({ fits = true } = {}) {
  const yesNo = new YesNo();
  const draw = (now: number, text = "") => yesNo.show(confirm, { fits, text }, now);
  draw(0);
  /** The screen is drawn just before the key. */
  const press = (key: string | Key, now: number, text = "", pasting = false) => {
    draw(now, text);
    return send(key, now, text, pasting);
  };
  const send = (key: string | Key, now: number, text = "", pasting = false) => {
    const event = typeof key === "string" ? { name: key.toLowerCase() } : key;
    return yesNo.press(typeof key === "string" ? key : undefined, event, { text, pasting }, now);
  };
  return { yesNo, draw, press, send };
}

test("a key counts only by what was drawn before it, however late it is read", () => {
  assert.equal(ask().send("y", 9 * quietMs), "line");
});

test("y and n answer, small or large, when the question has been there for a while", () => {
  assert.equal(ask().press("y", quietMs), "yes");
  assert.equal(ask().press("Y", quietMs), "yes");
  assert.equal(ask().press("n", quietMs), "no");
  assert.equal(ask().press("N", quietMs), "no");
});

test("a y that was typed ahead is text, and each key makes the question wait anew", () => {
  const { yesNo, draw, press } = ask();
  assert.equal(press("y", quietMs - 1), "line");
  assert.equal(draw(quietMs), "wait");
  assert.equal(press("y", 2 * quietMs - 2), "line");
  draw(2 * quietMs);
  assert.equal(yesNo.left("", 2 * quietMs), quietMs - 2);
  assert.equal(press("y", 3 * quietMs), "yes");
});

test("nothing else answers: not Enter, not Space, not Escape, not a y with a modifier", () => {
  const keys: Key[] = [
    { name: "return" },
    { name: "enter" },
    { name: "space" },
    { name: "escape" },
    { name: "tab" },
    { name: "up" },
    { name: "y", meta: true },
    { name: "y", ctrl: true },
    { name: "j", ctrl: true },
    { name: "d", meta: true },
  ];
  for (const key of keys) {
    assert.equal(ask().press(key, quietMs), "nothing", JSON.stringify(key));
  }
  for (const letter of ["j", "o", "v", "1", "ye"]) {
    assert.equal(ask().press(letter, quietMs), "nothing", letter);
  }
});

test("a y inside a word is no answer", () => {
  const { press } = ask();
  assert.equal(press("m", quietMs), "nothing");
  assert.equal(press("a", quietMs + 100), "nothing");
  assert.equal(press("y", quietMs + 200), "nothing");
  assert.equal(press("y", 2 * quietMs + 200), "yes");
});

test("text in the line keeps the keys until Tab sets it aside", () => {
  const { draw, press } = ask();
  assert.equal(press("y", quietMs, "half a"), "line");
  assert.equal(draw(9 * quietMs, "half a"), "busy");
  assert.equal(press({ name: "tab" }, 9 * quietMs, "half a"), "aside");
  assert.equal(draw(9 * quietMs, "half a"), "open");
  assert.equal(press("y", 9 * quietMs + 1, "half a"), "yes");
});

test("a Tab that was typed before the question could be read sets nothing aside", () => {
  assert.equal(ask().press({ name: "tab" }, quietMs - 1, "half a"), "line");
});

test("what is pasted is text", () => {
  assert.equal(ask().press({ name: "paste-start" }, quietMs), "line");
  assert.equal(ask().press("y", quietMs, "", true), "line");
});

test("Ctrl-C, Ctrl-T, Ctrl-L and Ctrl-Z do what they always do", () => {
  for (const name of ["c", "t", "l", "z"]) {
    assert.equal(ask().press({ name, ctrl: true }, quietMs), "line");
  }
});

test("of a call that does not fit n answers, and y only when all was shown", () => {
  const { yesNo, press } = ask({ fits: false });
  assert.equal(press("y", quietMs), "unseen");
  assert.equal(press("v", 2 * quietMs), "view");
  yesNo.viewed();
  assert.equal(press("y", 3 * quietMs), "yes");
  assert.equal(ask({ fits: false }).press("n", quietMs), "no");
});

test("the next question begins anew", () => {
  const { yesNo, send } = ask();
  const next = { ...confirm, call: "2" };
  const draw = (now: number) => yesNo.show(next, { fits: false, text: "" }, now);
  assert.equal(draw(quietMs), "wait");
  assert.equal(send("y", quietMs + 1), "line");
  assert.equal(draw(2 * quietMs + 1), "open");
  assert.equal(send("y", 2 * quietMs + 1), "unseen");
  yesNo.show(null, { fits: true, text: "" }, 3 * quietMs);
  assert.equal(send("y", 4 * quietMs), "line");
});

test("after v there is time to read before y counts", () => {
  const { yesNo, press } = ask({ fits: false });
  assert.equal(press("v", quietMs), "view");
  yesNo.viewed();
  assert.equal(press("y", 2 * quietMs - 1), "line");
  assert.equal(press("y", 3 * quietMs), "yes");
});
