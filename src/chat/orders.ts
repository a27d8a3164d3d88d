// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Does what a slash command says, through the daemon, and tells what is to be shown of it.
import { ask, type Client } from "../client/client.ts";
import { errorLines } from "./answer.ts";
import { type Command, commandHelp } from "./commands.ts";
import { type Line, span, style } from "./line.ts";
import { itemLines, modelLines, resultLines } from "./listing.ts";
import { toolListLines } from "./tool-lines.ts";
import { wrap } from "./wrap.ts";

type Order = Exclude<Command, { type: "think" | "stats" | "quit" }>;

function said(text: string, columns: number): Line[] {
  return [...wrap([span(text, style.dim)], columns), []];
}

function help(columns: number): Line[] {
  const widest = Math.max(...commandHelp.map(([name]) => name.length));
  const rows = commandHelp.flatMap(([name, what]) =>
    wrap([span(what, style.dim)], columns, {
      first: [span(`${name.padEnd(widest)}  `)],
      next: [span(" ".repeat(widest + 2))],
    }),
  );
  const keys =
    "Ctrl-C stops the answer, twice leaves. A question typed meanwhile waits its turn. Alt-Enter begins a new line.";
  return [...rows, ...said(keys, columns)];
}

/** Lines to be shown; what the daemon tells everybody (a conversation, an answer) comes as its event. */
export async function carryOut(
  order: Order,
  client: Client,
  options: { columns: number; now: number; signal: AbortSignal },
): Promise<Line[]> {
  const { columns, now, signal } = options;
  switch (order.type) {
    case "help":
      return help(columns);
    case "wrong":
      return [...errorLines(order, columns), []];
    case "new":
      await client.request({ type: "new" }, { signal });
      return [];
    case "private":
      await client.request({ type: "new", private: true }, { signal });
      return [];
    case "open":
      await client.request({ type: "open", id: order.id }, { signal });
      return [];
    case "list": {
      const { items } = await ask(client, { type: "list", limit: 30 }, "conversations", { signal });
      if (items.length === 0) return said("There are no conversations yet.", columns);
      return [...itemLines(items, columns, now), []];
    }
    case "search": {
      const found = await ask(client, { type: "search", q: order.words }, "results", { signal });
      if (found.items.length === 0) return said(found.reason ?? "Nothing was found.", columns);
      return [...resultLines(found.items, columns), []];
    }
    case "delete":
      await client.request({ type: "delete", id: order.id }, { signal });
      return said(`Conversation ${order.id} is deleted.`, columns);
    case "tools": {
      const listed = await ask(client, { type: "tools" }, "tools", { signal });
      // A server that is ready shows in its tools.
      const servers = listed.servers.filter(({ state }) => state !== "ready");
      const lines = toolListLines({ items: listed.items, servers }, columns);
      return lines.length > 0 ? [...lines, []] : said("There are no tools.", columns);
    }
    case "model": {
      if (order.name !== null) {
        await client.request({ type: "use", model: order.name }, { signal });
        return said(`${order.name} is used from now on.`, columns);
      }
      const { items } = await ask(client, { type: "models" }, "models", { signal });
      if (items.length === 0) return said("There is no model yet.", columns);
      return [...modelLines(items, columns), []];
    }
  }
}
