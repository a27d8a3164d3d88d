// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Work that takes too long is ended, and a machine that is busy with something else is no reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../../src/tools/within.ts";

test("what takes the processor for too long is ended where it is, and the next one goes", () => {
  assert.throws(
    () =>
      within(20, () => {
        for (;;);
      }),
    /it takes too long/,
  );
  assert.throws(() => within(20, () => /^(a+)+$/.test(`${"a".repeat(40)}b`)), /it takes too long/);
  assert.equal(
    within(20, () => "done"),
    "done",
  );
});

test("what has only waited for its turn is begun again", () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let begun = 0;
  const done = within(50, () => {
    begun += 1;
    if (begun === 1) Atomics.wait(cell, 0, 0, 10_000);
    return "done";
  });
  assert.deepEqual([done, begun], ["done", 2]);
});

test("what work throws itself comes through", () => {
  assert.throws(
    () =>
      within(20, () => {
        throw new TypeError("no");
      }),
    /^TypeError: no$/,
  );
});
