// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation without a daemon around it: a model behind real HTTP, a real history, one tool.
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Ahead } from "../../src/conversation/ahead.ts";
import { Conversation } from "../../src/conversation/conversation.ts";
import type { Rooms } from "../../src/conversation/rooms.ts";
import { RunningTurn, type TurnEvent } from "../../src/conversation/turn.ts";
import { TokenGauge } from "../../src/conversation/window.ts";
import { openHistory } from "../../src/history/open.ts";
import type { Notice } from "../../src/message.ts";
import type { Backend } from "../../src/model/backend.ts";
import type { ToolsMode } from "../../src/model/model.ts";
import type { Known, Source } from "../../src/tools/source.ts";
import { Tools } from "../../src/tools/tools.ts";
import { makeBackend, signal } from "../model/made-backend.ts";
import { temporaryFolder } from "./history.ts";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

const size: Known = {
  name: "size",
  description: "Tells how big a place is.",
  source: "plugin",
  from: "a test",
  state: "ready",
  error: "",
  hint: "",
  tool: {
    name: "size",
    description: "Tells how big a place is.",
    parameters: { of: { type: "string", required: true, description: "of what" } },
    effect: "read",
    call: async ({ of }) => ({ ok: true, text: `the size of ${of}` }),
  },
};

const source: Source = {
  known: () => [size],
  check: () => Promise.resolve(),
  settled: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

let asked = 0;

/** A conversation's rooms around a backend, whoever closes that. */
export async function openRooms(
  t: TestContext,
  backend: Backend,
  config: Partial<Rooms["config"]> = {},
) {
  const path = join(temporaryFolder(t), "history.db");
  const notices: Notice[] = [];
  const onNotice = (notice: Notice) => void notices.push(notice);
  const history = openHistory(path, { onNotice });
  const tools = new Tools([source], { onNotice });
  t.after(async () => {
    history.close();
    await tools.close();
  });
  const log: string[] = [];
  const clock = { now: new Date(2026, 11, 1, 10, 45) };
  const person = { name: null, address: null };
  const usual = { system: "Be short.", assistantName: null, person, toolRounds: 3, think: true };
  const rooms: Rooms = {
    ready: (stop) => backend.ready(stop),
    tools,
    history,
    unsaved: new Set(),
    told: new Set(),
    config: { ...usual, titles: true, ...config },
    gauge: new TokenGauge(),
    ahead: new Ahead({ warm: false, notice: onNotice, log: () => undefined }),
    now: () => clock.now,
    notice: onNotice,
    log: (line) => void log.push(line),
  };
  return {
    history,
    path,
    rooms,
    log,
    notices,
    clock,
    served: await backend.ready(signal),
    fresh: (from: ConstructorParameters<typeof Conversation>[1] = {}) =>
      new Conversation(rooms, from),
    /** Asks and waits for the end; the events of the turn. */
    async ask(conversation: Conversation, text: string, { aloud = false } = {}) {
      const events: TurnEvent[] = [];
      asked += 1;
      const turn = new RunningTurn(`question${asked}`, text, (event) => events.push(event));
      const approve = async () => ({ allow: true, reason: "answer" }) as const;
      await conversation.answer({ text, aloud }, turn, { signal, approve });
      return events;
    },
  };
}

/** The same with a scripted model; everything is closed with the test. */
export async function openTalk(
  t: TestContext,
  {
    strategy,
    config,
    ...server
  }: ModelServerOptions & { strategy: ToolsMode["strategy"]; config?: Partial<Rooms["config"]> },
) {
  const model = await startModelServer({ props: null, title: null, ...server });
  const { backend } = makeBackend({
    llm: model.url,
    toolsMode: strategy,
    questionRuns: () => true,
  });
  const talk = await openRooms(t, backend, config);
  t.after(async () => {
    await backend.close();
    await model.close();
  });
  return { model, ...talk };
}
