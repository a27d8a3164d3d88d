// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is typed into the search box, and what it finds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, turn } from "../support/history.ts";

test("a hit has id, title and a snippet of about twelve words with its matches marked", async (t) => {
  const { history } = open(t);
  const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(" ");
  history.finish(null, turn("A question", `${words(40)} the **blue** lagoon ${words(40)}`));
  const { items, reason } = await history.search("blue lag");
  assert.equal(reason, undefined);
  assert.equal(items.length, 1);
  const [hit] = items;
  assert.deepEqual([hit?.id, hit?.title], [1, "A question"]);
  assert.match(hit?.snippet ?? "", /^….* the \*\*blue lagoon\*\* .*…$/);
  assert.equal((hit?.snippet ?? "").split(" ").length, 12);
});

test("the words are one phrase, open at the end, without regard to case and accents", async (t) => {
  const { history } = open(t);
  history.finish(null, turn("Crème brûlée", "Sugar and cream"));
  const found = async (q: string) => (await history.search(q)).items.length;
  for (const q of ["creme", "CRÈME BRU", "sugar and cr", " sugar ", "s", "cream\0", "\0cr\0eam"]) {
    assert.equal(await found(q), 1, q);
  }
  for (const q of ["cream sugar", "ugar", "sugar cream", "brulee creme"]) {
    assert.equal(await found(q), 0, q);
  }
});

test("search syntax that is typed is text", async (t) => {
  const { history } = open(t);
  history.finish(null, turn("why?", "mail me @home (C++) NEAR the user:reply OR not, 100% a-b"));
  const typed = [
    "@home",
    "why?",
    '"why"',
    "user:reply",
    "NEAR",
    "OR not",
    "(C++)",
    "100%",
    "a-b",
    "NEAR(",
    '"',
    "^mail",
    "mail*",
    "-mail",
    "{user}:why",
    'me " @home',
    "or NOT",
  ];
  for (const q of typed) {
    const { items, reason } = await history.search(q);
    if (q === "{user}:why") assert.deepEqual(items, []);
    else if (q === '"') assert.equal(reason, "no word in the query");
    else assert.equal(items.length, 1, q);
  }
});

test("nothing typed finds nothing; no word typed finds nothing and says why", async (t) => {
  const { history } = open(t);
  history.finish(null, turn("a", "b ?!"));
  for (const q of ["", "  \n\t", "\0", " \0 "])
    assert.deepEqual(await history.search(q), { items: [] });
  for (const q of ["?!", '"*"', "🎉", "***", "\ud800"]) {
    assert.deepEqual(await history.search(q), { items: [], reason: "no word in the query" });
  }
  assert.deepEqual(await history.search("nobody"), { items: [] });
});

test("one hit a conversation, the best, at most thirty, best first", async (t) => {
  const { history } = open(t);
  history.finish(null, turn("filler", "kiwi once among a good many other words that say little"));
  history.finish(1, turn("kiwi", "kiwi kiwi"));
  for (let n = 0; n < 40; n += 1) {
    history.finish(null, turn(`fruit ${n}`, `One kiwi, and ${"more words ".repeat(n + 3)}`));
  }
  const { items } = await history.search("kiwi");
  assert.equal(items.length, 30);
  assert.equal(new Set(items.map((item) => item.id)).size, 30);
  assert.equal(items[0]?.id, 1);
  assert.match(items[0]?.snippet ?? "", /\*\*kiwi\*\*/);
  assert.deepEqual(
    items.slice(1).map((item) => item.id),
    items.slice(1).map((_, index) => index + 2),
  );
});

test("a very long query is searched by its beginning", async (t) => {
  const { history } = open(t);
  const text = "word and ".repeat(3000);
  history.finish(null, turn("long", text));
  assert.equal((await history.search(text)).items.length, 1);
});
