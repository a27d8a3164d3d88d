// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The first time: what has to be fetched before anything can answer, said before it is fetched.
import { ask, type Client } from "../client/client.ts";
import { size } from "./bar.ts";
import { cleanLine } from "./clean.ts";

/** What the daemon would fetch; sizes in bytes, 0 when unknown. */
export type Missing = { model: string; bytes: number; about: string };

/** Null when a model is there, or is on its way already. */
export async function missing(
  client: Client,
  options: { signal: AbortSignal },
): Promise<Missing | null> {
  const status = await ask(client, { type: "status" }, "status", options);
  if (!isAbsent(status.backend)) return null;
  const { items } = await ask(client, { type: "models" }, "models", options);
  const own = items.filter((item) => item.source === "engine");
  const chosen = own.find((item) => item.used) ?? own[0];
  if (!chosen) return null;
  return {
    model: chosen.model,
    bytes: typeof chosen.size === "number" ? chosen.size : 0,
    about: typeof chosen.good_for === "string" ? chosen.good_for : "",
  };
}

function isAbsent(backend: unknown): boolean {
  return (
    typeof backend === "object" &&
    backend !== null &&
    "state" in backend &&
    backend.state === "absent"
  );
}

export function missingText({ model, bytes, about }: Missing): string[] {
  const amount = bytes > 0 ? `, ${size(bytes)}` : "";
  const purpose = about ? ` (${cleanLine(about)})` : "";
  return [
    "No model server was found on this machine, so one is fetched, once:",
    `the engine (llama-server) and the model ${cleanLine(model)}${purpose}${amount}.`,
    "Ctrl-C cancels. What is there already is kept, and the next try goes on from it.",
  ];
}
