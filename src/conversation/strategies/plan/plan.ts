// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tool calling for small models: a first reply that a schema forces to name a tool or none, then the answer.

import type { Message } from "../../../message.ts";
import { aloudInstruction } from "../../prompt.ts";
import type { Asked, SoFar, Step, Strategy, StrategyOptions } from "../strategy.ts";
import { pickSchema } from "./choices.ts";
import { answerIn, mayBeUnwanted, wordsOf } from "./json-answer.ts";
import { twoParts } from "./parts.ts";
import { Picks } from "./picks.ts";
import { daysSaid } from "./said-days.ts";
import {
  askBack,
  fromResult,
  lookAgain,
  mendings,
  noTool,
  pickAgain,
  planText,
  questionText,
  resultText,
  said,
  withoutTool,
} from "./words.ts";

/** Tokens of a choice: a call with long texts in it, and not more. */
const pickTokens = 700;
/** So many of the likeliest tokens tell how near another choice was. */
const likeliest = 12;
/** Tokens of an answer from a result, and of one without: a small model may run on without an end. */
const resultTokens = 600;
const talkTokens = 1500;
/** Of thoughts in front of it, where the model may think. */
const thoughtTokens = 2500;
/** Tokens of a question back. */
const askTokens = 80;
/** Tokens of an answer inside JSON, which nobody sees before its end. */
const wordsTokens = 600;
const inWords = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};
/** Of a reply that was no choice: a server that takes no schema may have answered at length already. */
const longestBegin = 500;
const beginOf = (text: string) => text.slice(0, longestBegin);
/** So many picks in a turn: one, one more after an error or for a second part, and no chain of errors. */
const mostPicks = 3;

export function plan({ system, listed, tools, today }: StrategyOptions): Strategy {
  const noTools = noTool(tools);
  const { none } = noTools;
  const talks = noTools.talks.map(({ name }) => name);
  const picks = new Picks(tools, { today, none, talks });
  const front = pickSchema(listed, { today, none: [none] });
  const unwanted = ({ text }: Asked) => ({ any: !wantsJson(text), names: picks.names });

  const pick = (append: Message[], { asked }: SoFar): Step => ({
    append,
    tools: "absent",
    think: false,
    maxTokens: pickTokens,
    odds: likeliest,
    schema:
      asked.more.tools.length === 0
        ? front
        : pickSchema([...listed, ...asked.more.tools], { today, none: [none] }),
  });
  const answer = (append: Message[], { think, rounds }: SoFar): Step => ({
    append,
    tools: "absent",
    think,
    maxTokens: (rounds > 0 ? resultTokens : talkTokens) + (think ? thoughtTokens : 0),
  });

  return {
    name: "plan",
    preamble: {
      messages: [{ role: "system", content: planText(system, { tools: listed, none }) }],
      tools: null,
    },

    render: ({ messages }, manner) =>
      picks.render(messages, manner, { picking: listed.length > 0 }),

    // A choice is made without thinking, and the question stands bare.
    coming: ({ think }) => ({
      append: [{ role: "user", content: "" }],
      tools: "absent",
      think: think && listed.length === 0,
    }),

    next(latest, soFar) {
      const { asked } = soFar;
      switch (latest.kind) {
        case "question": {
          const content = questionText(asked, { ruled: listed.length > 0, none });
          if (listed.length > 0 || asked.more.tools.length > 0)
            return pick([{ role: "user", content }], soFar);
          // Nothing to pick from: a plain talk.
          const aloud = asked.aloud ? `\n${aloudInstruction}` : "";
          return answer([{ role: "user", content: content + aloud }], soFar);
        }
        case "none": {
          const told = soFar.rounds > 0 ? fromResult(asked) : withoutTool(asked);
          return answer(said(beginOf(latest.wrote), told), soFar);
        }
        case "unsure": {
          const { wrote, shares } = latest;
          const find = (name: string) => tools.find((one) => one.name === name) ?? [];
          const some = [...shares.keys()].flatMap(find);
          const aside = said(wrote, lookAgain(asked, some, noTools));
          const schema = pickSchema(some, { today, none: talks });
          return { ...pick([], soFar), schema, aside, before: shares };
        }
        case "missing": {
          const { wrote, call, missing } = latest;
          const step = answer(said(wrote, askBack(asked, call.name, missing)), soFar);
          return { ...step, think: false, maxTokens: askTokens };
        }
        case "reply": {
          const results = latest.results.map((one) => resultText(one, tools));
          const more =
            soFar.roundsLeft > 0 && soFar.rounds < mostPicks && wantsMore(soFar, latest.results);
          const then = more ? pickAgain(none) : fromResult(asked);
          const append = said(latest.wrote ?? "", `${results.join("\n")}\n${then}`);
          return more ? pick(append, soFar) : answer(append, soFar);
        }
        case "mend": {
          const wrote = beginOf(latest.reply?.text.trim() || "...");
          const told = mendings(asked);
          if (latest.reason === "unreadable") return pick(said(wrote, told.unreadable), soFar);
          if (latest.reason === "empty") return answer(said(wrote, told.empty), soFar);
          // A model that insists on JSON writes its words into it.
          const step = answer(said(wrote, told.json), soFar);
          return { ...step, think: false, maxTokens: wordsTokens, schema: inWords, words: true };
        }
      }
    },

    read(reply, step, asked, words) {
      const offered = [...listed, ...asked.more.tools].map(({ name }) => name);
      const { aside, before } = step;
      const inside = step.words ? answerIn(reply.text) : null;
      if (inside !== null) return { kind: "answer", text: inside };
      if (step.schema && !step.words) {
        const days = () => daysSaid(asked.text, asked.language, today);
        const look = { names: offered, mayLook: !aside, ...(before && { before }) };
        return picks.read(reply, { words, days, language: asked.language }, look);
      }
      if (reply.text.trim() === "") return { kind: "mend", reason: "empty" };
      const text = wordsOf(reply.text, unwanted(asked));
      return text === null ? { kind: "mend", reason: "json" } : { kind: "answer", text };
    },

    mayBeCall: (text, step, asked) =>
      step.schema !== undefined || mayBeUnwanted(text, unwanted(asked)),
  };
}

/** A second pick is worth its time after an error, or when the question has another part. */
const wantsMore = ({ asked, rounds, failed }: SoFar, results: readonly { ok: boolean }[]) =>
  results.some((one) => !one.ok) ? failed < 2 : rounds === 1 && twoParts(asked.text);

/** Who writes of JSON or in it may want it as the answer. */
const wantsJson = (question: string) => /json|[{[]/i.test(question);
