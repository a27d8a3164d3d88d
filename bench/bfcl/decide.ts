// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Lets the daemon's own conversation decide on one case with a real model, and stops it right there.
import { join } from "node:path";
import { Ahead } from "../../src/conversation/ahead.ts";
import { Conversation } from "../../src/conversation/conversation.ts";
import type { Rooms } from "../../src/conversation/rooms.ts";
import { RunningTurn } from "../../src/conversation/turn.ts";
import { TokenGauge } from "../../src/conversation/window.ts";
import { openHistory } from "../../src/history/open.ts";
import type { Notice, ToolSchema, Turn } from "../../src/message.ts";
import type { Completion, Served } from "../../src/model/model.ts";
import type { Known, Source } from "../../src/tools/source.ts";
import { Tools } from "../../src/tools/tools.ts";
import { type Mode, openBackend } from "../mode.ts";
import type { Place } from "../place.ts";
import { type BfclCase, toolsOf } from "./cases.ts";
import { asWritten } from "./written.ts";

export type Decided = {
  /** With the function's own name, and the arguments as the model wrote them. */
  call: { name: string; written: string } | null;
  /** To the decision. */
  ms: number;
  /** Of the requests until then; null when the server did not say. */
  prompt: number | null;
  cached: number | null;
  output: number | null;
  /** The text of the model's last whole reply. */
  reply: string;
  /** "" when all went well. */
  error: string;
};

const silent = () => undefined;

/** The functions of one case as a source of tools; none of them ever runs. */
class CaseTools implements Source {
  readonly #known: readonly Known[];

  constructor(tools: readonly ToolSchema[]) {
    this.#known = tools.map((schema) => ({
      name: schema.name,
      description: schema.description,
      source: "plugin",
      from: "the benchmark",
      state: "ready",
      error: "",
      hint: "",
      tool: {
        ...schema,
        effect: "read",
        call: () => Promise.reject(new Error("it was to be stopped")),
      },
    }));
  }
  known = () => this.#known;
  check = () => Promise.resolve();
  settled = () => Promise.resolve();
  close = () => Promise.resolve();
}

/** A model and what a conversation needs, for many cases. Whoever opens closes. */
export async function openDecider({ place, mode }: { place: Place; mode: Mode }) {
  const { backend, config, folder, close } = await openBackend(place, mode);
  const onNotice = (notice: Notice) => console.error(notice.message);
  const history = openHistory(join(folder, "history.db"), { onNotice });
  const shared = {
    ready: (signal: AbortSignal) => backend.ready(signal),
    history,
    unsaved: new Set<{ save(): unknown }>(),
    told: new Set<string>(),
    gauge: new TokenGauge(),
    ahead: new Ahead({ warm: false, notice: silent, log: silent }),
    now: () => new Date(),
    notice: silent,
    log: silent,
  };
  return {
    decide: (wanted: BfclCase) => {
      const system = [config.system.trim(), wanted.system].filter((text) => text !== "").join("\n");
      return decide(wanted, { ...shared, config: { ...config, system } });
    },
    async close() {
      history.close();
      await close();
    },
  };
}

function turnOf({ question, answer }: BfclCase["earlier"][number], at: number): Turn {
  const messages: Turn["messages"] = [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ];
  return {
    key: `earlier-${at}`,
    at,
    user: question,
    reply: answer,
    tools: [],
    calls: [],
    versions: [],
    messages,
    aloud: false,
  };
}

async function decide(wanted: BfclCase, shared: Omit<Rooms, "tools">): Promise<Decided> {
  const { tools: schemas, names } = toolsOf(wanted);
  const tools = new Tools([new CaseTools(schemas)], {
    onNotice: ({ message }) => console.error(message),
  });
  const stop = new AbortController();
  const decided: Decided = {
    call: null,
    ms: 0,
    prompt: null,
    cached: null,
    output: null,
    reply: "",
    error: "",
  };
  const begun = performance.now();
  const settle = (call: Decided["call"]) => {
    if (stop.signal.aborted) return;
    decided.call = call;
    decided.ms = performance.now() - begun;
    stop.abort(new Error("decided"));
  };
  const rooms: Rooms = {
    ...shared,
    ready: async (signal, onPhase) =>
      watched(await shared.ready(signal, onPhase), decided, () => settle(null)),
    tools: {
      list: () => tools.list(),
      get: (name) => tools.get(name),
      fault: (name, args) => tools.fault(name, args),
      take(name, given) {
        const text = typeof given === "string" ? given : JSON.stringify(given);
        const written = asWritten(text, decided.reply);
        settle({ name: names.get(name) ?? name, written });
        return tools.take(name, given);
      },
      run: (call, options) => tools.run(call, options),
      settled: (options) => tools.settled(options),
      servers: () => [],
    },
  };
  const turn = new RunningTurn(wanted.id, wanted.question, (event) => {
    if (event.type === "token") settle(null);
    else if (event.type === "error") decided.error = event.message;
  });
  const turns = wanted.earlier.map(turnOf);
  const conversation = new Conversation(rooms, { private: true, turns });
  await conversation.answer({ text: wanted.question, aloud: false }, turn, {
    signal: stop.signal,
    approve: async () => ({ allow: true, reason: "answer" }),
  });
  if (!stop.signal.aborted) decided.ms = performance.now() - begun;
  await tools.close();
  return decided;
}

/** Counts tokens; a request for words after a forced choice means that nothing is called. */
function watched(served: Served, decided: Decided, onWords: () => void): Served {
  let forced = false;
  const add = (sum: number | null, more: number | null) =>
    more === null ? sum : (sum ?? 0) + more;
  const complete: Served["complete"] = async (completion: Completion, options) => {
    if (forced && completion.schema === undefined) {
      onWords();
      options.signal.throwIfAborted();
    }
    forced ||= completion.schema !== undefined;
    const reply = await served.complete(completion, options);
    decided.reply = reply.text;
    decided.prompt = add(decided.prompt, reply.usage?.prompt ?? null);
    decided.cached = add(decided.cached, reply.usage?.cached ?? null);
    decided.output = add(decided.output, reply.usage?.output ?? null);
    return reply;
  };
  return Object.assign(Object.create(served), { complete });
}
