// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A stand-in for the daemon that answers what one question needs; the turns are the test's.
import type { Socket } from "node:net";
import { type Say, startLineServer } from "./line-server.ts";

type Turn = (text: string, tell: Say, socket: Socket) => void;

/** `turn` writes the events of a question; they get the session and a key. A stop ends it. */
export async function startQuestionDaemon(options: {
  turn: Turn;
  backend?: string;
  /** The fetch does not come to its end. */
  fetching?: boolean;
}) {
  const { turn, backend = "ready", fetching = false } = options;
  return await startLineServer({
    onLine: (heard, say, socket) => {
      const { type, req, session } = heard;
      const tell: Say = (...events) =>
        say(...events.map((event) => ({ ...event, session, key: "k" })));
      if (type === "features" || type === "watch") {
        say({
          type: "hello",
          state: "idle",
          model: "m",
          ctx_used: 0,
          ctx_max: 0,
          id: null,
          turns: [],
          pending: null,
          protocol: 2,
          session,
          req,
        });
      } else if (type === "status") say({ type, req, backend: { state: backend } });
      else if (type === "models") {
        const about = {
          status: "not fetched",
          first: true,
          source: "engine",
          size: 1.1e9,
          good_for: "short answers",
        };
        say({ type, req, items: [{ model: "small", used: false, ...about }] });
      } else if (type === "ask") {
        say({ type: "ok", req, key: "k" });
        const text = String(heard.text);
        tell({ type: "user", text }, { type: "state", state: "thinking" });
        if (backend === "absent") {
          const job = { type: "job", job: "j1", kind: "model", total: 100, message: "small" };
          for (const done of [0, 5, 50, 51]) say({ ...job, done, state: "running" });
          if (!fetching) say({ ...job, done: 100, state: "done" });
        }
        turn(text, tell, socket);
      } else if (type === "stop") {
        tell({ type: "done", id: null, stopped: true }, { type: "state", state: "idle" });
        say({ type: "ok", req, stopped: "k", dropped: [] });
      } else say({ type: "ok", req });
    },
  });
}

/** Events of an answer in two deltas. */
export const answerWith =
  (...deltas: string[]) =>
  (_text: string, tell: Say): void => {
    for (const delta of deltas) tell({ type: "token", delta });
    tell({ type: "done", id: 1 }, { type: "state", state: "idle" });
  };
