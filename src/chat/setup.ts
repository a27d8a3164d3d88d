// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The first time: what has to be fetched before anything can answer, said before it is fetched.
import { ask, type Client } from "../client/client.ts";
import type { ModelItem } from "../protocol/events.ts";
import { size } from "./bar.ts";
import { cleanLine } from "./clean.ts";

type Options = { signal: AbortSignal };

/** The state of the model side, and whether a choice is being made right now. */
async function backendState(client: Client, options: Options) {
  const { backend } = await ask(client, { type: "status" }, "status", options);
  if (typeof backend !== "object" || backend === null) return { state: "", looking: false };
  const state = "state" in backend ? backend.state : "";
  return { state, looking: "looking" in backend && backend.looking === true };
}

/**
 * Words about what is missing, or null when a model is there or on its way. The daemon says "absent"
 * also while it still looks for a server; it has looked when it has answered `models`.
 */
export async function missing(client: Client, options: Options): Promise<string[] | null> {
  if ((client.hello.jobs ?? []).length > 0) return null;
  if ((await backendState(client, options)).state !== "absent") return null;
  const { items } = await ask(client, { type: "models" }, "models", options);
  // A server that listed its models answers, whatever the daemon has found out yet.
  if (items.some((item) => item.source !== "engine")) return null;
  const { state, looking } = await backendState(client, options);
  return state === "absent" && !looking ? words(items) : null;
}

function words(models: readonly ModelItem[]): string[] {
  const onDisk = models.some((item) => item.status !== "not fetched");
  const first = models.find((item) => item.first === true);
  const what = onDisk ? "" : ` and ${first ? named(first) : "a model that fits this computer"}`;
  return [
    "No model server answers on this computer, so one is fetched, once:",
    `the engine (llama-server)${what}.`,
    "Ctrl-C cancels. What has come is kept, and the next try goes on from it.",
  ];
}

function named({ model, size: bytes, licence, good_for }: ModelItem): string {
  const about = [
    typeof bytes === "number" && bytes > 0 ? size(bytes) : "",
    typeof licence === "string" ? cleanLine(licence) : "",
    typeof good_for === "string" ? cleanLine(good_for) : "",
  ].filter((part) => part !== "");
  return `the model ${cleanLine(model)}${about.length > 0 ? ` (${about.join("; ")})` : ""}`;
}
