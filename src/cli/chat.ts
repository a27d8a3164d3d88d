// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The terminal chat, or with a pipe instead of a keyboard one question a line.
import { ReadStream, WriteStream } from "node:tty";
import { chat as inTerminal } from "../chat/chat.ts";
import { pipedChat } from "../chat/piped.ts";
import { Client } from "../client/client.ts";
import { socketPath } from "../paths.ts";
import { connect } from "./connect.ts";
import { start } from "./start.ts";

/** Resolves with the exit status. */
export async function chat(signal: AbortSignal): Promise<number> {
  const { stdin: input, stdout: output, stderr: errors, env } = process;
  const drawn = env.TERM !== "dumb";
  if (drawn && input instanceof ReadStream && output instanceof WriteStream) {
    await start({ signal });
    return await inTerminal({
      connect: (onEvent) => Client.connect(socketPath(), { signal, onEvent }),
      input,
      output,
      env,
      signal,
    });
  }
  await using client = await connect(signal);
  return await pipedChat(client, { input, output, errors, env, signal });
}
