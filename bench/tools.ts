// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What tools cost: a call beside its own process, and a start with many MCP servers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { scripted } from "../test/support/mcp/opened.ts";
import { Client } from "./client.ts";
import type { Daemon } from "./daemon.ts";
import { type Figures, quantile } from "./measures.ts";

/** The tool that the calls below want: the shortest program there is. */
export const nothingTool = 'description = "Does nothing"\ncommand = ["true"]\n';

/** Milliseconds that the program takes when nobody stands between. */
async function alone(): Promise<number> {
  const began = performance.now();
  const child = spawn("true", { stdio: ["ignore", "pipe", "pipe"] });
  await once(child, "close");
  return performance.now() - began;
}

/** Two hundred calls, each beside a start of the program itself. */
export async function toolCalls(daemon: Daemon): Promise<Figures> {
  const through: number[] = [];
  const direct: number[] = [];
  const client = await Client.open(daemon.socket, []);
  for (let called = 0; called < 200; called++) {
    direct.push(await alone());
    const began = performance.now();
    const ran = client.wait("ran");
    client.send({ type: "run", name: "nothing" });
    const result = await ran;
    through.push(performance.now() - began);
    if (result.type !== "ran" || !result.ok) throw new Error("the tool did not run");
  }
  client.close();
  const [whole, own] = [quantile(through, 0.5), quantile(direct, 0.5)];
  return {
    "a tool call, added to its process, median": whole - own,
    "  the call, median": whole,
    "  its process alone, median": own,
  };
}

/** Twenty MCP servers, of which five say nothing at all. */
export const twentyServers = (): string =>
  Array.from({ length: 20 }, (_, at) => {
    const command = JSON.stringify(scripted(at % 4 === 0 ? { deaf: ["initialize"] } : {}));
    return `[mcp.s${at}]\ncommand = ${command}\n`;
  }).join("");

/** From the daemon's start to the end of the first answer, asked as soon as it listens. */
export async function firstAnswer(daemon: Daemon): Promise<Figures> {
  const client = await Client.open(daemon.socket);
  const began = performance.now();
  await client.ask("brief 1");
  const answered = performance.now() - began;
  client.close();
  return { "from start to an answer, 5 of 20 servers hang": daemon.startMs + answered };
}
