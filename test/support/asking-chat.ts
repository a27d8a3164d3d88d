// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A chat in a pseudo-terminal whose model wants to make a file, which needs the person's yes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "./command.ts";
import { TestClient } from "./daemon.ts";
import type { Emulator } from "./emulator.ts";
import type { Script } from "./model-server.ts";
import { startPerson } from "./person.ts";
import { openPty } from "./pty.ts";

/** Makes a file in the tools folder. */
export const makeTool = `description = "Makes a file"
command = ["touch", "--", "{file}"]
effect = "change"
params.file.required = true
`;

/** Calls `make` for each file, one a round, then says what it read last. */
export const makes =
  (...files: string[]): Script =>
  (reply, { json: { messages } }) => {
    const asked = messages.findLastIndex(({ role }) => role === "user");
    const results = messages.slice(asked).filter(({ role }) => role === "tool");
    const file = files[results.length];
    if (file !== undefined) reply.call("make", { file }).finish("tool_calls").usage(9, 3).done();
    else
      reply
        .text(`It read: ${results.at(-1)?.content}.`)
        .finish()
        .usage(9, 3)
        .done();
  };

export const shows = (text: string) => (screen: Emulator) => screen.text.includes(text);
/** The answer is there, and below it the empty line to type in. */
export const ends = (text: string) => (screen: Emulator) =>
  screen.text.includes(text) && screen.lines.at(-1) === "›" && !screen.text.includes("Run it?");
/** The question takes its keys now, and this is in the line being typed. */
export const asks =
  (line = "") =>
  (screen: Emulator) =>
    screen.lines.at(-3) === "Run it? y/n" && screen.lines.at(-1) === `› ${line}`.trim();

export async function openAskingChat(
  options: { script?: Script; rows?: number; columns?: number } = {},
) {
  const { script = makes("made"), rows = 30, columns = 90 } = options;
  const person = await startPerson({ script, tools: { "make.toml": makeTool } });
  const chats: ReturnType<typeof openPty>[] = [];
  const clients: TestClient[] = [];
  const open = async () => {
    const pty = openPty([program, "chat"], { env: person.env, columns, rows });
    chats.push(pty);
    await pty.screen.until(shows("leave."));
    return pty;
  };
  return {
    ...(await open()),
    person,
    /** Another chat on the same daemon. */
    open,
    /** Another client, at the level of lines. */
    async client() {
      const client = new TestClient(person.home.socket);
      clients.push(client);
      await client.next("hello");
      return client;
    },
    made: (file = "made") => existsSync(join(person.home.tools, file)),
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.end();
      for (const chat of chats) {
        chat.kill();
        await chat.ended;
      }
      await person[Symbol.asyncDispose]();
    },
  };
}
