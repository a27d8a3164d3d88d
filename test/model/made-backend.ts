// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A backend whose notices, jobs and changes are written down, and a question to ask through it.
import { once } from "node:events";
import type { Notice } from "../../src/message.ts";
import { Backend, type BackendOptions } from "../../src/model/backend.ts";
import type { LeaseKind, Served } from "../../src/model/model.ts";
import { EngineDouble } from "./engine-double.ts";

/** Never aborts. */
export const { signal } = new AbortController();
export const config = {
  llm: null,
  model: null,
  loadIfNone: true,
  temperature: null,
  stall: 60,
  toolsMode: "native" as const,
};

/** A backend with everything it tells, written down. */
export function makeBackend(
  options: Partial<BackendOptions> & {
    llm?: string | null;
    model?: string;
    toolsMode?: BackendOptions["config"]["toolsMode"];
  } = {},
) {
  const notices: Notice[] = [];
  const jobs: string[] = [];
  const changes: string[] = [];
  const changed = new EventTarget();
  const remembered = {
    model: null as string | null,
    set(model: string) {
      this.model = model;
    },
  };
  const backend = new Backend({
    config: {
      ...config,
      llm: options.llm ?? null,
      model: options.model ?? null,
      toolsMode: options.toolsMode ?? "native",
    },
    apiKey: null,
    candidates: [],
    within: 20_000,
    engine: new EngineDouble(),
    remembered,
    onNotice: (notice) => notices.push(notice),
    onJob: (job) => jobs.push(`${job.kind} ${job.state}`),
    onChange: () => {
      changes.push(backend.status().state);
      changed.dispatchEvent(new Event("change"));
    },
    ...options,
  });
  return {
    backend,
    notices,
    jobs,
    changes,
    remembered,
    /** Resolves at the next change. */
    change: () => once(changed, "change"),
    [Symbol.asyncDispose]: () => backend.close(),
  };
}

/** A question with nothing but "hi" in it. */
export const ask = (served: Served, options: { kind?: LeaseKind; signal?: AbortSignal } = {}) =>
  served.complete(
    { messages: ['{"role":"user","content":"hi"}'], think: true },
    { kind: options.kind ?? "answer", signal: options.signal ?? signal, emit: () => undefined },
  );
/** The code or the name of what it rejects with; "" when it resolves. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "",
    (thrown) => String(thrown.code ?? thrown.name),
  );
