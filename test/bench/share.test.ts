// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The intervals of shares, and quantiles with gaps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, quantileOf, shareText, Unusable, wilson } from "../../bench/share.ts";

test("an interval is Wilson's, also where all or none are right", () => {
  const near = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)];
  assert.deepEqual(near(wilson(44, 50)), ["0.7620", "0.9438"]);
  assert.deepEqual(near(wilson(10, 10)), ["0.7225", "1.0000"]);
  assert.deepEqual(near(wilson(0, 10)), ["0.0000", "0.2775"]);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.equal(shareText(44, 50), "44/50 = 88.0 % (76.2 to 94.4)");
});

test("a quantile leaves out what nobody knows", () => {
  assert.equal(quantileOf([3, null, 1, 2], 0.5), 2);
  assert.equal(quantileOf([3, null, 1, 2], 1), 3);
  assert.equal(quantileOf([null], 0.5), null);
});

test("a number on the command line is a whole one, and not less than makes sense", () => {
  assert.equal(countOf("only", "12"), 12);
  for (const text of ["", "abc", "-1", "1.5", "1e3", "0"])
    assert.throws(() => countOf("per", text, 1), Unusable);
});
