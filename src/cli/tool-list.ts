// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools from the command line as the daemon has them: list, check, accept.
import { cleanLine } from "../chat/clean.ts";
import { faultsOf, type Listed, toolListLines } from "../chat/tool-lines.ts";
import { ask } from "../client/client.ts";
import { connect } from "./connect.ts";
import { columns, print } from "./conversations.ts";
import { out } from "./terminal.ts";

function printTools(listed: Listed): void {
  const lines = toolListLines(listed, columns());
  if (lines.length > 0) print(lines);
  else process.stderr.write("There are no tools. Type: desktop-assistant tools add\n");
}

export async function list(signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  printTools(await ask(client, { type: "tools" }, "tools", { signal }));
  return 0;
}

/** Has the daemon look at everything anew; 1 when something is wrong, which is printed. */
export async function check(signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const listed = await ask(client, { type: "check" }, "tools", { signal });
  const faults = faultsOf(listed);
  if (faults.items.length + faults.servers.length > 0) {
    printTools(faults);
    return 1;
  }
  const { items, servers } = listed;
  out(`All is well. Tools: ${items.length}, MCP servers: ${servers.length}.`);
  return 0;
}

export async function accept(name: string, signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  await client.request({ type: "accept", name }, { signal });
  out(`${cleanLine(name)} is accepted as it is now.`);
  return 0;
}
