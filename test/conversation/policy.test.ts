// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which calls run freely and which need a yes, by effect, by setting, and by what was read before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalText, whyAsk } from "../../src/conversation/policy.ts";
import { Taint } from "../../src/conversation/taint.ts";
import type { Confirm, Effect } from "../../src/tools/tool.ts";
import { wholeTool } from "../../src/tools/whole.ts";

const read = (untrusted: boolean, personal: boolean) =>
  new Taint([], { user: "hello", reply: "", calls: [{ name: "t", text: "osprey" }] }, () => ({
    untrusted,
    personal,
  }));
const states = {
  nothing: read(false, false),
  personal: read(false, true),
  others: read(true, false),
};

function asks(effect: Effect, confirm: Confirm, taint: Taint, said = "osprey"): string | null {
  const tool = wholeTool({
    name: "it",
    description: "Does it.",
    parameters: { what: {} },
    effect,
    confirm,
    call: async () => ({ ok: true }),
  });
  return whyAsk({ tool, args: { what: said } }, () => taint);
}

const always = "its settings say that it asks each time";
const change = "it may change something";
const words = "it would send words that you did not type: osprey";
const table: [
  Effect,
  Confirm,
  nothing: string | null,
  personal: string | null,
  others: string | null,
][] = [
  ["read", "auto", null, null, null],
  ["read", "never", null, null, null],
  ["read", "always", always, always, always],
  ["send", "auto", null, words, words],
  ["send", "never", null, words, words],
  ["send", "always", always, always, always],
  ["change", "auto", change, change, change],
  ["change", "never", null, null, `${change}, and text that others wrote has been read`],
  ["change", "always", always, always, always],
];
for (const [effect, confirm, nothing, personal, others] of table) {
  test(`effect ${effect} with confirm ${confirm} asks as it should in every state`, () => {
    assert.deepEqual(
      [
        asks(effect, confirm, states.nothing),
        asks(effect, confirm, states.personal),
        asks(effect, confirm, states.others),
      ],
      [nothing, personal, others],
    );
  });
}

test("of many words the first six are named", () => {
  const many = asks("send", "auto", states.others, "a b c d e f g h");
  assert.equal(many, "it would send words that you did not type: a, b, c, d, e, f, …");
});

test("the model reads why a call was not allowed", () => {
  const told = (["answer", "expired", "nobody"] as const).map((reason) =>
    refusalText("it", { allow: false, reason }),
  );
  assert.deepEqual(told, [
    "it was not run: the person said no. Do not try it again",
    "it was not run: the person must confirm it, and did not answer in time",
    "it was not run: the person must confirm it, and nobody could be asked here",
  ]);
});
