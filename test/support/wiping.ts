// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A daemon with tools that ask before they run and leave a trace when they do, and clients that are asked.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Line, TestClient } from "./daemon.ts";
import type { Script } from "./model-server.ts";
import { obeyingModel } from "./obeying-model.ts";
import { start } from "./started.ts";

const trace = ["sh", "-c", "printf '%s|' \"$@\" >> trace", "sh", "{what}", "--", "{how}"];
const params = "\n[params.what]\nrequired = true\n[params.how]\n";
const file = (more: string) =>
  `description = "Wipes."\ncommand = ${JSON.stringify(trace)}\n${more}${params}`;

/** `careful` asks though it only reads, `free` does not ask though it changes something,
 * `tell` sends. */
export const wipingTools = {
  "wipe.toml": file('effect = "change"'),
  "careful.toml": file('confirm = "always"'),
  "tell.toml": file('effect = "send"'),
  "free.toml": file('effect = "change"\nconfirm = "never"'),
  "mail.toml": 'description = "Mail."\nuntrusted = true\ncommand = ["printf", "Hello."]\n',
};

/** The model does what the person says: "use wipe {…}". `tools` are further files. */
export async function wiping(
  t: TestContext,
  { script = obeyingModel(), tools = {} }: { script?: Script; tools?: Record<string, string> } = {},
) {
  const started = await start({ script, tools: { ...wipingTools, ...tools } });
  t.after(started.end);
  const trace = join(started.home.tools, "trace");
  return {
    ...started,
    /** What the tools that ran were given. */
    ran: () => (existsSync(trace) ? readFileSync(trace, "utf8") : ""),
    async client(...names: string[]): Promise<TestClient> {
      const client = await started.daemon.connect();
      await client.ask({ type: "features", names });
      return client;
    },
    /** What the model read of its last call. */
    read: () => started.model.chats.at(-1)?.json.messages.at(-1)?.content ?? "",
  };
}

export const idle = ({ type, state }: Line) => type === "state" && state === "idle";
export const askWipe = { type: "ask", text: 'use wipe {"what":"all","how":"-f"}' };
/** The answer to a question as a client has got it. */
export const answer = ({ key, call }: Line, allow: boolean) => ({
  type: "confirm",
  key,
  call,
  allow,
});
