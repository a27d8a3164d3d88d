// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation of eight questions: what each reads, and how long it waits for its first token.
import { askQuestion, newConversation } from "../pick/person.ts";
import { aheadBetween, beyond, type Desk, type Outcome, ofTurn } from "./desk.ts";
import { type Counted, count } from "./rendered.ts";
import { atMost, type Row, told } from "./report.ts";

export const questions = [
  "Tell me about the sea.",
  "And about lakes?",
  "Name three rivers in Italy.",
  "Which one is the longest?",
  "Write two lines about it.",
  "Now about a mountain.",
  "Compare the two.",
  "Thanks, sum up.",
];

/** Tokens that a server may read again: the last one always, and a few where two texts meet. */
export const allowed = 16;

export type FollowUp = Partial<Counted> & {
  question: string;
  error: string;
  /** Milliseconds. */
  firstToken: number | null;
  /** What was read ahead since the answer before. */
  ahead: { requests: number; tokens: number };
};

/** All but the first question. `pause`: each is asked when the daemon is quiet, else at once. */
export async function converse(desk: Desk, { pause }: { pause: boolean }): Promise<FollowUp[]> {
  const { client, requests, post } = desk;
  await newConversation(client);
  const turns = [];
  let last = performance.now();
  for (const question of questions) {
    if (desk.signal.aborted) break;
    if (pause) await desk.settled();
    const asked = await askQuestion(client, question);
    const [request] = ofTurn(requests, asked);
    turns.push({ question, asked, request, ahead: aheadBetween(requests, last, asked.begun) });
    last = asked.ended;
  }
  const followUps: FollowUp[] = [];
  for (const { question, asked, request, ahead } of turns.slice(1)) {
    const counted = request ? await count(post, requests, request) : {};
    const firstToken = asked.stats?.first_token_ms ?? null;
    followUps.push({ question, error: asked.error, firstToken, ahead, ...counted });
  }
  return followUps;
}

export const firstTokens = (some: readonly FollowUp[]) => some.map(({ firstToken }) => firstToken);
const over = (some: readonly FollowUp[], known: "own" | "fresh") =>
  some.map((one) => beyond(one.read ?? null, one[known] ?? null));

export function pausedRows(title: string, some: readonly FollowUp[]): Row[] {
  return [
    told(`${title}: first token`, firstTokens(some), { unit: " ms" }),
    atMost(`${title}: tokens read beyond the question's own`, over(some, "own"), allowed),
    told(
      `  its own`,
      some.map(({ own }) => own ?? null),
    ),
    told(
      `  read ahead before it`,
      some.map(({ ahead }) => ahead.tokens),
    ),
  ];
}

export function atOnceRows(title: string, some: readonly FollowUp[]): Row[] {
  return [
    told(`${title}: first token`, firstTokens(some), { unit: " ms" }),
    atMost(`${title}: tokens read beyond what is new`, over(some, "fresh"), allowed),
    told(
      `  what is new`,
      some.map(({ fresh }) => fresh ?? null),
    ),
    told(`  read beyond the question's own`, over(some, "own")),
  ];
}

/** The same with a person's pauses between the questions, and without. */
export async function followUps(desk: Desk): Promise<Outcome & { paused: FollowUp[] }> {
  const paused = await converse(desk, { pause: true });
  const atOnce = await converse(desk, { pause: false });
  const rows = [
    ...pausedRows(`${desk.mode}, after a pause`, paused),
    ...atOnceRows(`${desk.mode}, at once`, atOnce),
  ];
  return { rows, details: { paused, atOnce }, paused };
}
