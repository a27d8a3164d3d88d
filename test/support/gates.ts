// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Replies of the scripted model that wait until a test lets each of them go.
import type { Script } from "./model-server.ts";

/** Replies that wait, each until its question's text is released. */
export function gates() {
  const open = new Map<string, PromiseWithResolvers<void>>();
  const gate = (text: string) => {
    const known = open.get(text) ?? Promise.withResolvers<void>();
    open.set(text, known);
    return known;
  };
  const script: Script = async (reply, request) => {
    const text = request.json.messages.at(-1)?.content.replace(/^\[.*?\] /, "") ?? "";
    reply.text(`<${text}>`);
    await gate(text).promise;
    reply.finish().done();
  };
  return { script, release: (text: string) => gate(text).resolve() };
}
