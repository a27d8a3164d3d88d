// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks a server what it is, which models it has and which of them are in memory.
import { ReadableError } from "../errors.ts";
import type { Address } from "./address.ts";
import { askJson } from "./http.ts";
import { countAt, isRecord, listAt, recordAt, textAt } from "./json.ts";

/** What the server says of a model; "unknown" for a server that never tells. */
export type ModelStatus = "loaded" | "loading" | "sleeping" | "unloaded" | "unknown";

export type ModelRow = {
  id: string;
  status: ModelStatus;
  /** Tokens; 0 when the list does not say. */
  context: number;
  /** The server tried to load it and could not. */
  failed: boolean;
};

/** "llama" is a llama-server with one model, "router" one that starts others. */
export type ServerKind = "llama" | "router" | "ollama" | "lmstudio" | "other";

export type Survey = { address: Address; kind: ServerKind; rows: ModelRow[] };

export type Asking = {
  address: Address;
  apiKey: string | null;
  signal: AbortSignal;
  /** Milliseconds without a byte. */
  stall: number;
};

const statuses: Record<string, ModelStatus> = {
  loaded: "loaded",
  loading: "loading",
  sleeping: "sleeping",
  unloaded: "unloaded",
  "not-loaded": "unloaded",
};

/** What the query of a request must carry so that a router never loads a model for it. */
export function routed(kind: ServerKind, model: string | null): string {
  if (kind !== "router") return "";
  const name = model === null ? "" : `model=${encodeURIComponent(model)}&`;
  return `?${name}autoload=false`;
}

/** The rows of /v1/models. Rejects like askJson. */
export async function listModels(asking: Asking): Promise<ModelRow[]> {
  const list = await askJson({ ...asking, url: `${asking.address.v1}/models` });
  return listAt(list, "data").flatMap((entry) => {
    const id = textAt(entry, "id");
    if (!id) return [];
    const status = recordAt(entry, "status");
    const context =
      countAt(recordAt(entry, "meta"), "n_ctx") ??
      countAt(entry, "max_model_len") ??
      countAt(entry, "context_length") ??
      0;
    return {
      id,
      status: statuses[textAt(status, "value")] ?? "unknown",
      context,
      failed: status?.failed === true,
    };
  });
}

/** The JSON at a path that not every server has; null when this one has not. */
async function perhaps(asking: Asking, path: string): Promise<unknown> {
  try {
    return await askJson({ ...asking, url: `${asking.address.root}${path}` });
  } catch (thrown) {
    if (asking.signal.aborted || !(thrown instanceof ReadableError)) throw thrown;
    if (thrown.code === "loading") throw thrown;
    return null;
  }
}

/** Looks once. Rejects with ReadableError: "loading" while the server answers 503, and as askJson. */
export async function survey(asking: Asking): Promise<Survey> {
  const { address } = asking;
  const rows = await listModels(asking);
  const props = await perhaps(asking, "/props");
  const router = textAt(props, "role") === "router" || rows.some((row) => row.status !== "unknown");
  if (router) return { address, kind: "router", rows };
  // LM Studio answers unknown paths with 200 and an error, so the fields decide.
  if (isRecord(props) && isRecord(props.default_generation_settings)) {
    const only = rows.length === 1;
    return {
      address,
      kind: "llama",
      rows: rows.map((row) => ({ ...row, status: only ? "loaded" : row.status })),
    };
  }
  const [running, catalog] = await Promise.all([
    perhaps(asking, "/api/ps"),
    perhaps(asking, "/api/v0/models"),
  ]);
  if (isRecord(running) && Array.isArray(running.models)) {
    return { address, kind: "ollama", rows: withOllama(rows, running.models) };
  }
  const known = listAt(catalog, "data").filter((entry) => textAt(entry, "state") !== "");
  if (known.length > 0) return { address, kind: "lmstudio", rows: fromLmStudio(known) };
  return { address, kind: "other", rows };
}

function withOllama(rows: ModelRow[], running: readonly unknown[]): ModelRow[] {
  return rows.map((row) => {
    const loaded = running.find(
      (entry) => textAt(entry, "name") === row.id || textAt(entry, "model") === row.id,
    );
    return {
      ...row,
      status: loaded ? "loaded" : "unloaded",
      context: countAt(loaded, "context_length") ?? row.context,
    };
  });
}

function fromLmStudio(entries: readonly unknown[]): ModelRow[] {
  return entries
    .filter((entry) => textAt(entry, "type") !== "embeddings" && textAt(entry, "id") !== "")
    .map((entry) => ({
      id: textAt(entry, "id"),
      status: statuses[textAt(entry, "state")] ?? "unknown",
      context: countAt(entry, "loaded_context_length") ?? 0,
      failed: false,
    }));
}

/** n_ctx and slots as /props of a llama-server tells them; "loading" while it answers 503. */
export async function measure(
  asking: Asking,
  kind: ServerKind,
  row: ModelRow | null,
): Promise<{ contextTokens: number; slots: number }> {
  const listed = row?.context ?? 0;
  if (kind !== "llama" && kind !== "router") return { contextTokens: listed, slots: 1 };
  const props = await perhaps(asking, `/props${routed(kind, row?.id ?? null)}`);
  return {
    contextTokens: countAt(recordAt(props, "default_generation_settings"), "n_ctx") || listed,
    slots: Math.max(1, countAt(props, "total_slots") ?? 1),
  };
}
