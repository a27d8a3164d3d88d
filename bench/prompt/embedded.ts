// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon with the engine of its own: the first question after a restart, and two sessions in turns.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { engineOf } from "../../live/home.ts";
import { Client } from "../../src/client/client.ts";
import { stamp } from "../../src/conversation/prompt.ts";
import type { Message, ToolSchema } from "../../src/message.ts";
import { clock, makeRecorders, withDaemon } from "../pick/home.ts";
import { type Asked, askQuestion, newConversation } from "../pick/person.ts";
import { cacheFolder, fillCache } from "../place.ts";
import type { Outcome } from "./desk.ts";
import { newIn, ownIn, type Post, type Prompt, rendered } from "./rendered.ts";
import { atMost, told } from "./report.ts";

export type EmbeddedOptions = {
  model: string;
  tools: readonly ToolSchema[];
  /** Milliseconds after which a person is taken to be thinking. */
  quiet: number;
  signal: AbortSignal;
};

/** Tokens. */
const allowed = 40;
const restarts = 3;

/**
 * Folders with the engine and the model. The tools are called natively: then a question is one request,
 * and what `done` tells of its turn is what that one read.
 */
async function openFolders({ model, tools }: EmbeddedOptions) {
  await fillCache(model);
  const config = `model = ${JSON.stringify(model)}`;
  const folders = makeRecorders({ llm: null, tools, mode: "native", config });
  mkdirSync(folders.data, { recursive: true });
  for (const name of ["engine", "models"])
    symlinkSync(join(cacheFolder(), name), join(folders.data, name));
  return folders;
}

/** Resolves when the engine has had nothing to do for so long. */
async function settled(post: Post, quiet: number): Promise<void> {
  for (let since = performance.now(); performance.now() - since < quiet; await pause(50))
    if (JSON.stringify(await post("/slots", undefined)).includes('"is_processing":true'))
      since = performance.now();
}

/** A new conversation, and time enough for its beginning to be read ahead; the engine runs then. */
async function begin(client: Client, data: string, quiet: number): Promise<Post> {
  await askQuestion(client, "What is the capital of Malta? One word.");
  const post = engineOf(data).ask;
  await settled(post, quiet);
  await newConversation(client);
  await settled(post, quiet);
  return post;
}

/** A conversation as it is sent; the fixed beginning stands for itself, it is never what is new. */
const beginning: Message = { role: "system", content: "You are an assistant." };
const asking = (question: string): Message => ({
  role: "user",
  content: stamp(new Date(clock)) + question,
});
const stored = ({ question, answer }: { question: string; answer: string }): Message[] => [
  { role: "user", content: question },
  { role: "assistant", content: answer },
];

/** Tokens that a question read; null when it was more than one request, or nothing is told. */
function readBy({ stats, calls, error }: Asked): number | null {
  if (stats === null || stats.cached_tokens === null || calls > 0 || error !== "") return null;
  return stats.prompt_tokens - stats.cached_tokens;
}

const difference = (read: number | null, known: number | null) =>
  read === null || known === null ? null : read - known;

/** The first question of a daemon that was started again, asked as soon as it listens. */
export async function restartedFirst(options: EmbeddedOptions): Promise<Outcome> {
  const folders = await openFolders(options);
  const { quiet, signal } = options;
  try {
    await withDaemon(folders.open(), ({ client }) => begin(client, folders.data, quiet));
    const all = [];
    for (let round = 0; round < restarts && !signal.aborted; round += 1) {
      const one = await withDaemon(folders.open(), async (daemon) => {
        const question = `What is ${round + 3} plus ${round + 5}? One word.`;
        await newConversation(daemon.client);
        const asked = await askQuestion(daemon.client, question);
        const post = engineOf(folders.data).ask;
        const messages = [beginning, asking(question)];
        const own = await ownIn(post, { messages }, await rendered(post, { messages }));
        const firstToken = asked.stats?.first_token_ms ?? null;
        await settled(post, quiet);
        return { question, error: asked.error, read: readBy(asked), own, firstToken };
      });
      all.push(one);
    }
    const rows = [
      atMost(
        "after a restart: tokens read by the first question beyond its own",
        all.map(({ read, own }) => difference(read, own)),
        allowed,
      ),
      told(
        "  its own",
        all.map(({ own }) => own),
      ),
      told(
        "  first token, with the engine's start",
        all.map((one) => one.firstToken),
        {
          unit: " ms",
        },
      ),
    ];
    return { rows, details: all };
  } finally {
    folders.remove();
  }
}

const talks = {
  main: [
    "Italy",
    "France",
    "Spain",
    "Norway",
    "Greece",
    "Poland",
    "Austria",
    "Ireland",
    "Finland",
    "Hungary",
  ].map((land) => `What is the capital of ${land}? Name it in one short sentence.`),
  other: ["dog", "cat", "horse", "bird", "fish", "house", "tree", "river", "book", "bread"].map(
    (word) => `What is the French word for ${word}? Name it in one short sentence.`,
  ),
};
type Session = keyof typeof talks;

type Turn = {
  question: string;
  answer: string;
  called: boolean;
  read: number | null;
  error: string;
};

/**
 * What is new in each question of a session, against the last one of the same session. Null where a
 * tool was called in the turn before: how that stands in the prompt is not known here.
 */
async function freshIn(post: Post, turns: readonly Turn[]): Promise<(number | null)[]> {
  const fresh: (number | null)[] = [];
  let before: Prompt | null = null;
  for (const [at, { question }] of turns.entries()) {
    const messages = [beginning, ...turns.slice(0, at).flatMap(stored), asking(question)];
    const prompt: Prompt = await rendered(post, { messages });
    const unknown = turns[at - 1]?.called ?? false;
    fresh.push(
      unknown ? null : before ? newIn(prompt, before) : await ownIn(post, { messages }, prompt),
    );
    before = prompt;
  }
  return fresh;
}

/** Ten questions each, in turns and without a pause. */
export async function twoSessions(options: EmbeddedOptions): Promise<Outcome> {
  const folders = await openFolders(options);
  const { quiet, signal } = options;
  try {
    return await withDaemon(folders.open(), async (daemon) => {
      await using other = await Client.connect(folders.socket);
      await other.request({ type: "features", names: [] });
      await other.request({ type: "unwatch", session: "main" });
      await other.request({ type: "watch", session: "other" });
      const clients = { main: daemon.client, other };
      const post = await begin(daemon.client, folders.data, quiet);
      const turns: Record<Session, Turn[]> = { main: [], other: [] };
      for (const [at, question] of talks.main.entries()) {
        if (signal.aborted) break;
        for (const [session, asks] of [
          ["main", question],
          ["other", talks.other[at] ?? ""],
        ] as const) {
          const asked = await askQuestion(clients[session], asks, session);
          const { answer, error, calls } = asked;
          const read = readBy(asked);
          turns[session].push({ question: asks, answer, error, called: calls > 0, read });
        }
      }
      const all = [];
      for (const session of ["main", "other"] as const) {
        const fresh = await freshIn(post, turns[session]);
        all.push(
          ...turns[session].map((turn, at) => ({ session, ...turn, fresh: fresh[at] ?? null })),
        );
      }
      const rows = [
        atMost(
          "two sessions in turns: tokens read by a question beyond what is new",
          all.map(({ read, fresh }) => difference(read, fresh)),
          allowed,
        ),
        told(
          "  what is new",
          all.map(({ fresh }) => fresh),
        ),
      ];
      return { rows, details: all };
    });
  } finally {
    folders.remove();
  }
}
