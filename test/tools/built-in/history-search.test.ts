// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finding earlier conversations: what a model reads of them, also when its words are not the ones that were said.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundConversation } from "../../../src/tools/context.ts";
import { builtIn } from "./place.ts";

const at = new Date(2026, 10, 3, 12).getTime() / 1000;
const found = (id: number, title: string): FoundConversation => ({
  id,
  title,
  snippet: `…${title}…`,
  at,
});

test("a hit is a line with its day, title and snippet", async (t) => {
  const asked: string[] = [];
  const { call } = builtIn(t, {
    search: async (words) => {
      asked.push(words);
      return [found(1, "A boat"), found(2, "Two boats")];
    },
  });
  const { text, data, meta } = await call("history_search", { query: " boat " });
  assert.equal(text, "2026-11-03 A boat: …A boat…\n2026-11-03 Two boats: …Two boats…");
  assert.deepEqual([asked, meta], [["boat"], { hits: 2 }]);
  assert.deepEqual(data, [found(1, "A boat"), found(2, "Two boats")]);
});

test("words that nobody said in a row are searched one by one, most hits first", async (t) => {
  const { call } = builtIn(t, {
    search: async (words) =>
      ({
        boat: [found(1, "A boat"), found(2, "Boat to Rome")],
        rome: [found(3, "Rome"), found(2, "Boat to Rome")],
      })[words] ?? [],
  });
  const { text } = await call("history_search", { query: "boat in Rome" });
  assert.deepEqual(
    text.split("\n").map((line) => line.slice(11).split(":")[0]),
    ["Boat to Rome", "A boat", "Rome"],
  );
});

test("no hit and no word are said", async (t) => {
  const { call } = builtIn(t);
  assert.equal(
    (await call("history_search", { query: "boat" })).text,
    "no earlier conversation has: boat",
  );
  assert.equal((await call("history_search", { query: "" })).text, "error: query is empty");
  assert.equal((await call("history_search")).text, "error: query is empty");
});

test("a history that cannot be read is the call's fault, and nobody else's", async (t) => {
  const { call } = builtIn(t, { search: () => Promise.reject(new Error("damaged")) });
  assert.equal((await call("history_search", { query: "x" })).text, "error: damaged");
});
