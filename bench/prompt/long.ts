// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation that outgrows its window: which questions had to read much, and what was read ahead.
import { askQuestion, newConversation } from "../pick/person.ts";
import { type Desk, type Outcome, ofTurn } from "./desk.ts";
import { readsAhead } from "./rendered.ts";
import type { Row } from "./report.ts";
import { text } from "./words.ts";

const turns = 30;
/** Words of a question: with the answers, 30 of them pass three quarters of 8,192 tokens once or twice. */
const words = 100;
/** Tokens. */
const much = 1000;
/** Questions that may read so much. */
const allowed = 2;

type LongTurn = { error: string; read: number; ahead: number; cut: boolean };

const largest = (reads: readonly (number | null)[]) =>
  Math.max(0, ...reads.map((read) => read ?? 0));

export function longRows(all: readonly LongTurn[]): Row[] {
  const slow = all.filter(({ read }) => read > much).length;
  const cuts = all.filter(({ cut }) => cut).length;
  const ahead = all.filter((one) => one.ahead > much).length;
  return [
    {
      what: `${all.length} turns: questions that read more than ${much} tokens`,
      measured: String(slow),
      target: `at most ${allowed} of ${turns}`,
      // One that was broken off may still have missed it.
      good: slow > allowed ? false : all.length < turns ? null : true,
    },
    {
      what: "  times that the window was cut, and that so much was read ahead",
      measured: `${cuts}, ${ahead}`,
      target: "",
      good: null,
    },
  ];
}

export async function longTalk(desk: Desk): Promise<Outcome> {
  const { client, requests } = desk;
  await newConversation(client);
  await desk.settled();
  const all: LongTurn[] = [];
  let before = 0;
  for (let turn = 0; turn < turns && !desk.signal.aborted; turn += 1) {
    const question = `Say in one sentence what this makes you think of: ${text(words, 200 + turn)}.`;
    const from = requests.length;
    const asked = await askQuestion(client, question);
    const own = ofTurn(requests, asked);
    const read = largest(own.map((one) => one.read));
    const { messages } = own[0]?.body ?? {};
    const sent = Array.isArray(messages) ? messages.length : 0;
    await desk.settled();
    const ahead = largest(
      requests
        .slice(from)
        .filter(readsAhead)
        .map((one) => one.read),
    );
    all.push({ error: asked.error, read, ahead, cut: sent <= before });
    before = sent;
  }
  return { rows: longRows(all), details: all };
}
