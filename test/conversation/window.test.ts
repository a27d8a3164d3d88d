// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What stays in the model's context, what leaves it and when, and what is told when nothing can leave.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Space } from "../../src/conversation/space.ts";
import { Draft, Transcript } from "../../src/conversation/transcript.ts";
import {
  resultRoom,
  TokenGauge,
  turnsAhead,
  turnsToKeep,
  windowNotice,
} from "../../src/conversation/window.ts";
import { ReadableError } from "../../src/errors.ts";
import { TooLong } from "../../src/model/server-error.ts";

/** At 3 bytes a token, with 1,024 of 4,096 tokens for the answer. */
const free = 3 * (4096 - 1024) - 1000;
const quotes = '{"role":"user","content":""}'.length;

/** A question behind turns and a beginning, all by their bytes. */
function spaceOf(
  sizes: { beginning: number; turns?: readonly number[]; question: number; more?: number },
  contextTokens: number,
  gauge = new TokenGauge(),
) {
  const user = (bytes: number) => ({ role: "user" as const, content: "x".repeat(bytes - quotes) });
  const transcript = new Transcript([user(sizes.beginning)]);
  for (const bytes of sizes.turns ?? []) transcript.seal([user(bytes)]);
  const draft = new Draft();
  draft.append([user(sizes.question)]);
  if (sizes.more !== undefined) draft.append([user(sizes.more)]);
  const served = { url: "http://here/v1", model: "m", contextTokens };
  const strategy = { preamble: { messages: [], tools: null } };
  const space = new Space({ transcript, draft, served, strategy }, gauge);
  return { space, transcript, gauge };
}

function faultOf(run: () => unknown): ReadableError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ReadableError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

test("within a turn all turns stay as long as the request fits, and then go down to a half in one cut", () => {
  const gauge = new TokenGauge();
  const keep = (turns: number) => turnsToKeep({ beginning: 1000, turns, draft: 100 }, 4096, gauge);
  assert.equal(keep(free - 100), free - 100);
  assert.equal(keep(free - 99), 0.5 * free - 100);
});

test("when a turn has ended turns go down to a half as soon as they pass three quarters", () => {
  const gauge = new TokenGauge();
  const keep = (turns: number) => turnsAhead({ beginning: 1000, turns }, 4096, gauge);
  const full = Math.floor(0.75 * free);
  assert.equal(keep(full), full);
  assert.equal(keep(full + 1), 0.5 * free);
});

test("in a context of unknown size nothing leaves before a server refuses", () => {
  const gauge = new TokenGauge();
  assert.equal(turnsToKeep({ beginning: 1e9, turns: 5, draft: 1e9 }, 0, gauge), 5);
  assert.equal(turnsAhead({ beginning: 1e9, turns: 5 }, 0, gauge), 5);
});

test("a system message or a question that cannot fit is named as such, with both numbers (B6, B7)", () => {
  const fault = (sizes: Parameters<typeof spaceOf>[0], context: number) =>
    faultOf(() => spaceOf(sizes, context).space.cut({ list: true }));
  const first = fault({ beginning: 40 * 1800, question: 60 }, 8192);
  assert.match(first.message, /system message and tools are too long.* 24020 .* 8192/);
  assert.match(first.hint, /fewer tools/);
  const last = fault({ beginning: 300, turns: [50], question: 9000 }, 2048);
  assert.match(last.message, /question is too long.* 3100 .* 2048/);
  assert.match(last.hint, /less text/);
  const results = fault({ beginning: 300, question: 300, more: 9000 }, 2048);
  assert.match(results.message, /results of this question's tools are too long/);
  const both = fault({ beginning: 3000, question: 5000 }, 1024);
  assert.match(both.message, /system message and tools are too long/);
});

test("a turn whose results have filled the room may still grow by what makes the model answer", () => {
  const gauge = new TokenGauge(); // 3 bytes a token
  const room = resultRoom({ beginning: 1000, turns: 500, draft: 0 }, 2048, gauge);
  assert.equal(room, 3 * (2048 - 512) - 1000);
  const grown = (more: number) =>
    spaceOf({ beginning: 1000, turns: [500], question: room + more }, 2048);
  const { space, transcript } = grown(600);
  assert.equal(space.cut({ list: true }), 1);
  assert.equal(transcript.size.turns, 0);
  assert.throws(() => grown(900).space.cut({ list: true }), { code: "context_too_small" });
});

test("a gauge learns how many bytes a token has", () => {
  const gauge = new TokenGauge();
  gauge.learn(4000, 1000);
  assert.equal(gauge.tokens(400), 100);
  gauge.learn(10, 9);
  assert.equal(gauge.tokens(400), 100);
});

test("a refusal with counts corrects the bytes of a token and the context, and turns go to a half of that", () => {
  const turns = Array.from({ length: 10 }, () => 600);
  const { space, transcript, gauge } = spaceOf({ beginning: 1000, turns, question: 200 }, 8192);
  assert.equal(space.cut({ list: true }), 0);
  assert.equal(space.shrink({ list: true }, new TooLong("no", { needs: 3600, holds: 2048 })), 9);
  assert.equal(gauge.tokens(200), 100);
  assert.equal(space.context, 2048);
  // Half of what 2,048 tokens leave beside the answer's room and the beginning, at 2 bytes a token.
  const half = (2 * (2048 - 512) - 1000) / 2 - 200;
  assert.ok(transcript.size.turns <= half && transcript.size.turns + 600 > half);
});

test("a refusal without counts halves the turns, also in a context of unknown size", () => {
  for (const context of [0, 8192]) {
    const { space } = spaceOf({ beginning: 90, turns: [90, 90, 90, 90], question: 90 }, context);
    const told = [0, 1, 2, 3].map(() =>
      space.shrink({ list: true }, new TooLong("no", { needs: null, holds: null })),
    );
    assert.deepEqual(told, [2, 1, 1, 0]);
  }
});

test("a context that only followed from a refusal refuses nothing itself, and is dropped by what passes", () => {
  const { space, gauge } = spaceOf({ beginning: 300, turns: [300], question: 9000 }, 8192);
  space.shrink({ list: true }, new TooLong("no", { needs: null, holds: 2048 }));
  assert.equal(space.cut({ list: true }), 0);
  // The next question at the same server.
  const next = spaceOf({ beginning: 300, turns: [4000, 900], question: 300 }, 8192, gauge);
  assert.equal(next.space.context, 2048);
  assert.equal(next.space.cutAhead(), 1);
  next.space.learn({ list: true }, 2000);
  assert.equal(next.space.context, 2048);
  next.space.learn({ list: true }, 3000);
  assert.equal(next.space.context, 8192);
});

test("what is told of a refusal names what is too long, with the server's numbers or our own", () => {
  const counted = new TooLong("no", { needs: 4031, holds: 2048 });
  const silent = new TooLong("Too much.", { needs: null, holds: null });
  const told = (
    sizes: Parameters<typeof spaceOf>[0],
    refusal: TooLong,
    { context = 2000, begun = false } = {},
  ) => spaceOf(sizes, context).space.refused({ list: true }, refusal, begun);
  const question = { beginning: 300, question: 600 };
  assert.equal(
    told(question, counted).message,
    "the question is too long: the request has 4031 tokens, and the model reads 2048",
  );
  const silently = told(question, silent);
  assert.match(
    silently.message,
    /about 300 tokens.* reads fewer than the 2000 that its server tells$/,
  );
  assert.match(silently.hint, /The model server says: Too much\.$/);
  assert.match(
    told(question, silent, { context: 256 }).message,
    /has about 300 tokens, and the model reads 256$/,
  );
  assert.match(told(question, silent, { context: 0 }).message, /and the model reads fewer$/);
  assert.match(told(question, counted, { begun: true }).message, /^the answer is too long/);
  const turns = { ...question, turns: [300] };
  assert.match(told(turns, counted).message, /^the conversation is too long/);
  assert.match(told(turns, counted).hint, /^Ask again/);
  const first = { beginning: 600, question: 300 };
  assert.match(told(first, counted).message, /^the system message and tools are too long/);
});

test("the notice says what still finds the words that have left", () => {
  const hint = (searched: boolean, kept: boolean) => windowNotice(2, { searched, kept }).hint;
  assert.match(
    hint(true, true),
    /^Nothing is lost: they stay in the history\. .*history_search\. /,
  );
  assert.doesNotMatch(hint(false, true), /history_search/);
  assert.doesNotMatch(hint(true, false), /the history|history_search/);
  assert.match(windowNotice(1, { searched: true, kept: true }).message, /oldest question is no/);
  assert.match(windowNotice(2, { searched: true, kept: true }).message, /oldest 2 questions are/);
});
