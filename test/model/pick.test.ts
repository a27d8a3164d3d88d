// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which of a server's models answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pickModel, type Wishes } from "../../src/model/pick.ts";
import type { ModelRow, ModelStatus } from "../../src/model/survey.ts";

const rows = (statuses: Record<string, ModelStatus>): ModelRow[] =>
  Object.entries(statuses).map(([id, status]) => ({ id, status, context: 0, failed: false }));
const none: Wishes = { used: null, configured: null, remembered: null, loadIfNone: true };
const pick = (statuses: Record<string, ModelStatus>, wishes: Partial<Wishes> = {}) => {
  const { model, load, passedOver } = pickModel(rows(statuses), { ...none, ...wishes });
  return [model, load, passedOver];
};

test("the first model that is not unloaded answers", () => {
  for (const status of ["loaded", "loading", "sleeping"] as const) {
    assert.deepEqual(pick({ a: "unloaded", b: status, c: "loaded" }), ["b", false, null]);
  }
});

test("a wish is met among the loaded ones: picked before configured before last used", () => {
  const statuses = { a: "loaded", b: "loaded", c: "sleeping", d: "loaded" } as const;
  assert.deepEqual(pick(statuses, { remembered: "d" }), ["d", false, null]);
  assert.deepEqual(pick(statuses, { configured: "c", remembered: "d" }), ["c", false, null]);
  assert.deepEqual(pick(statuses, { used: "b", configured: "c" }), ["b", false, null]);
});

test("a configured model that is unloaded does not displace the loaded one", () => {
  assert.deepEqual(pick({ a: "unloaded", b: "loaded" }, { configured: "a" }), ["b", false, "a"]);
  assert.deepEqual(pick({ b: "loaded" }, { configured: "gone" }), ["b", false, "gone"]);
});

test("when none is loaded, the configured, the last used or else the first one is", () => {
  const statuses = { a: "unloaded", b: "unloaded", c: "unloaded" } as const;
  assert.deepEqual(pick(statuses), ["a", true, null]);
  assert.deepEqual(pick(statuses, { remembered: "b" }), ["b", true, null]);
  assert.deepEqual(pick(statuses, { configured: "c", remembered: "b" }), ["c", true, null]);
});

test("with load_if_none = false nothing is loaded, and the error says what to type", () => {
  assert.throws(
    () => pick({ a: "unloaded" }, { loadIfNone: false }),
    (thrown) => {
      assert.ok(thrown instanceof Error && "code" in thrown && "hint" in thrown);
      assert.equal(thrown.code, "not_loaded");
      assert.match(String(thrown.hint), /desktop-assistant model use a/);
      return true;
    },
  );
});

test("of a server that never says, the first model answers, or the one that was named", () => {
  assert.deepEqual(pick({ a: "unknown", b: "unknown" }), ["a", false, null]);
  assert.deepEqual(pick({ a: "unknown" }, { configured: "b" }), ["b", false, null]);
  assert.deepEqual(pick({}), [null, false, null]);
});
