// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks a server to load a model: by its own request for that, never by naming it in a chat.
import { ReadableError } from "../errors.ts";
import { askJson } from "./http.ts";
import { pause } from "./patience.ts";
import { type Asking, type ServerKind, survey } from "./survey.ts";

/** Milliseconds between two looks. */
const firstPause = 250;
const longestPause = 2000;

const requests: Partial<Record<ServerKind, { path: string; field: string }>> = {
  router: { path: "/models/load", field: "model" },
  // Ollama loads a model on a generate request without a prompt, and answers when it is there.
  ollama: { path: "/api/generate", field: "model" },
  lmstudio: { path: "/api/v1/models/load", field: "model" },
};

/**
 * Resolves when the server says that the model is loaded. Rejects with ReadableError "load_failed"
 * (with the server's words), as askJson does, or with the signal's reason.
 */
export async function loadModel(asking: Asking, kind: ServerKind, model: string): Promise<void> {
  const how = requests[kind];
  if (!how) {
    throw new ReadableError("load_failed", `this server can't be asked to load ${model}`, {
      hint: "Load it there by hand.",
    });
  }
  const body = JSON.stringify({ [how.field]: model });
  // Ollama and LM Studio are silent while they load; that is no stall.
  const patient = { ...asking, stall: Math.max(asking.stall, 3_600_000) };
  try {
    await askJson({ ...patient, url: `${asking.address.root}${how.path}`, body });
  } catch (thrown) {
    // "Already running" is a 400 too: what the list says next decides.
    if (asking.signal.aborted || !(thrown instanceof ReadableError)) throw thrown;
    if (thrown.code !== "server_error") throw thrown;
    const row = await rowOf(asking, model);
    if (!row || row.status === "unloaded") throw loadFailed(model, thrown.message);
  }
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    const row = await rowOf(asking, model);
    if (row?.status === "loaded" || row?.status === "sleeping") return;
    if (!row || row.failed || row.status === "unloaded") {
      throw loadFailed(model, "the model server gave up loading it");
    }
    await pause(wait, asking.signal);
  }
}

async function rowOf(asking: Asking, model: string) {
  const { rows } = await survey(asking);
  return rows.find((row) => row.id === model) ?? null;
}

function loadFailed(model: string, why: string): ReadableError {
  return new ReadableError("load_failed", `${model} can't be loaded: ${why}`, {
    hint: "The model server's log says why; often the memory does not suffice.",
  });
}
