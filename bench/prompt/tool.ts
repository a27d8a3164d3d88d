// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Turns with a tool: what the request with its result reads, and what the next question reads when it is replaced.
import { askQuestion, newConversation } from "../pick/person.ts";
import { aheadBetween, beyond, type Desk, type Outcome, ofTurn } from "./desk.ts";
import { allowed } from "./follow.ts";
import { type Counted, count } from "./rendered.ts";
import { atMost, missing, told } from "./report.ts";

const results = {
  calendar: [
    "2026-12-01 08:30 to 09:00 dentist, Via Roma 12",
    "2026-12-01 10:00 to 11:30 review of the plans with Anna and Paolo, room 3",
    "2026-12-01 12:30 lunch with Marta, Trattoria al Ponte",
    "2026-12-01 15:00 to 16:00 call with the tax adviser, papers of last year at hand",
    "2026-12-01 18:15 to 19:45 swimming, bring the new card",
    "2026-12-01 20:30 dinner at home with the neighbours, bring bread and cheese",
  ].join("\n"),
  weather: "Oslo now: light snow, 2 degrees below zero, wind 14 km/h from the north, humidity 88 %",
  calc: "17*23 = 391",
};

const talks = [
  { question: "What is in my calendar tomorrow?", next: "Which of these is the longest?" },
  { question: "What is the weather like in Oslo now?", next: "What should one wear there?" },
  { question: "How much is 17*23?", next: "Is that a prime number?" },
];

type Talk = {
  question: string;
  called: string[];
  error: string;
  /** Requests after the first of the turn. */
  later: Counted[];
  /** The follow-up, and what was read ahead before it. */
  next: Counted | null;
  ahead: { requests: number; tokens: number };
};

/** Every second question is a follow-up to a turn in which a tool was called, after a pause. */
export async function toolTurns(desk: Desk): Promise<Outcome> {
  const { mode, client, requests, post } = desk;
  desk.returns(results);
  const seen = [];
  for (const { question, next } of talks) {
    if (desk.signal.aborted) break;
    await newConversation(client);
    await desk.settled();
    const asked = await askQuestion(client, question);
    await desk.settled();
    const followed = await askQuestion(client, next);
    seen.push({ asked, followed, question });
  }
  const all: Talk[] = [];
  for (const { asked, followed, question } of seen) {
    const later: Counted[] = [];
    for (const one of ofTurn(requests, asked).slice(1))
      later.push(await count(post, requests, one));
    const [first] = ofTurn(requests, followed);
    all.push({
      question,
      called: asked.stats?.tools.map(({ name }) => name) ?? [],
      error: asked.error || followed.error,
      later,
      next: first ? await count(post, requests, first) : null,
      ahead: aheadBetween(requests, asked.ended, followed.begun),
    });
  }
  const called = all.filter((one) => one.called.length > 0);
  const bound = `at most ${allowed}`;
  if (called.length === 0)
    return { rows: [missing(`${mode}, a tool`, "no tool was called", bound)], details: all };
  const later = called.flatMap((one) => one.later);
  const rows = [
    atMost(
      `${mode}, a tool: tokens read with its result beyond what is new`,
      later.map(({ read, fresh }) => beyond(read, fresh)),
      allowed,
    ),
    told(
      "  what is new",
      later.map(({ fresh }) => fresh),
    ),
    atMost(
      `${mode}, after a tool: tokens read beyond the question's own`,
      called.map(({ next }) => next && beyond(next.read, next.own)),
      allowed,
    ),
    told(
      "  read ahead before it",
      called.map(({ ahead }) => ahead.tokens),
    ),
  ];
  return { rows, details: all };
}
