// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The line about what an answer cost: alone, and in the chat with a real daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { statsText } from "../../src/chat/stats.ts";
import { program } from "../support/command.ts";
import type { Emulator } from "../support/emulator.ts";
import { startPerson } from "../support/person.ts";
import { openPty } from "../support/pty.ts";
import { startQuestionDaemon } from "../support/question-daemon.ts";

const stats = {
  first_token_ms: 412,
  total_ms: 2000,
  prompt_tokens: 1006,
  cached_tokens: 987,
  output_tokens: 20,
  tools: [],
  tokens_per_second: 12.4,
};
const text = "first word 0.4 s, 19 of 1,006 tokens read, 12 tokens/s";

test("it tells the wait, what was read of how much, and the speed of the writing", () => {
  assert.equal(statsText(stats), text);
  assert.match(statsText({ ...stats, tokens_per_second: 3.25 }), /, 3\.3 tokens\/s$/);
  assert.match(statsText({ ...stats, tokens_per_second: 1234.5 }), /, 1,235 tokens\/s$/);
});

test("what is not told is left out", () => {
  assert.match(statsText({ ...stats, cached_tokens: null }), /s, 1,006 tokens read, 12/);
  assert.equal(statsText({ ...stats, first_token_ms: null, prompt_tokens: 0 }), "12 tokens/s");
  const { tokens_per_second: _, ...older } = stats;
  assert.equal(statsText(older), "first word 0.4 s, 19 of 1,006 tokens read");
  assert.equal(statsText({}), "");
  assert.equal(statsText(undefined), "");
});

const atPrompt = (words: string) => (screen: Emulator) =>
  screen.text.includes(words) && screen.lines.at(-1) === "›";

test("/stats turns the line on and off, also for the answer that runs, and old daemons have none", async () => {
  const tells: Record<string, unknown> = { whole: stats, old: undefined, broken: "x", empty: {} };
  await using daemon = await startQuestionDaemon({
    turn: (asked, tell) => {
      tell({ type: "token", delta: `To ${asked}.` });
      if (asked === "running") return;
      tell({ type: "done", id: 1, stats: tells[asked] }, { type: "state", state: "idle" });
    },
  });
  const env = { ...process.env, XDG_RUNTIME_DIR: daemon.folder };
  const chat = openPty([program, "chat"], { env, columns: 70, rows: 30 });
  const { screen } = chat;
  try {
    await screen.until(atPrompt("leave."));
    chat.type("whole\r");
    await screen.until(atPrompt("To whole."));
    assert.ok(!screen.text.includes("tokens read"));
    chat.type("/stats\r");
    await screen.until(atPrompt("From now on a line"));
    for (const asked of ["old", "broken", "empty"]) {
      chat.type(`${asked}\r`);
      await screen.until(atPrompt(`To ${asked}.`));
    }
    assert.ok(!screen.text.includes("tokens read"));
    chat.type("whole\r");
    await screen.until(atPrompt(text));
    const end = screen.lines.indexOf(text);
    assert.deepEqual(screen.lines.slice(end - 2), ["To whole.", "", text, "", "›"]);
    chat.type("/stats\r");
    await screen.until(atPrompt("No more lines"));
    const lines = () => screen.text.split(text).length - 1;
    chat.type("whole\r");
    await screen.until(
      (one) => one.text.split("To whole.").length === 4 && one.lines.at(-1) === "›",
    );
    assert.equal(lines(), 1);
    assert.deepEqual(screen.unknown, []);
  } finally {
    chat.kill();
    await chat.ended;
  }
});

test("with a real daemon the line comes after the answer, also when it was asked for in the middle", async () => {
  const gate = Promise.withResolvers<void>();
  await using person = await startPerson({
    script: async (reply) => {
      reply.text("Half of it.");
      await gate.promise;
      reply.text(" All.").finish();
      reply.data({
        choices: [],
        usage: { prompt_tokens: 1200, completion_tokens: 30 },
        timings: { prompt_n: 50, cache_n: 1150, predicted_n: 30, predicted_ms: 2000 },
      });
      reply.done();
    },
  });
  const chat = openPty([program, "chat"], { env: person.env, columns: 70, rows: 30 });
  try {
    await chat.screen.until(atPrompt("leave."));
    chat.type("go\r");
    await chat.screen.until((screen) => screen.text.includes("Half of it."));
    chat.type("/stats\r");
    await chat.screen.until((screen) => screen.text.includes("From now on"));
    gate.resolve();
    await chat.screen.until(atPrompt("tokens/s"));
    assert.match(chat.screen.text, /^first word \d\.\d s, 50 of 1,200 tokens read, 15 tokens\/s$/m);
    chat.type("/help\r");
    await chat.screen.until(atPrompt("Alt-Enter"));
    assert.match(chat.screen.text, /^\/stats +say after each answer/m);
    assert.deepEqual(chat.screen.unknown, []);
  } finally {
    chat.kill();
    await chat.ended;
  }
});
