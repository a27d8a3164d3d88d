// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a person is told of servers and their tools, each thing once.
import type { Notice } from "../../message.ts";
import { nearest } from "../../toml/nearest.ts";
import type { ServerConfig } from "./config.ts";
import type { Listed } from "./listed.ts";
import { toolName } from "./names.ts";
import type { News } from "./shelve.ts";

export function newsNotice(server: string, news: News): Notice {
  const { description, name } = news.tool;
  const full = toolName(server, name);
  if (news.kind === "new")
    return {
      code: "mcp_tool",
      message: `The server ${server} has a new tool, ${full}: ${description}`,
      hint: `To leave it out, list the tools you want in [mcp.${server}] of config.toml.`,
    };
  return {
    code: "mcp_tool",
    message: `${full} is off: ${news.what} changed. It says of itself now: "${description}"`,
    hint: `If that is right, type: desktop-assistant tools accept ${full}`,
  };
}

export const leftNotice = (server: string, why: string): Notice => ({
  code: "mcp_server",
  message: `The server ${server} is left off: ${why}`,
  hint: checkHint,
});
export const checkHint =
  "Mend it, then type: desktop-assistant tools check (after a change of config.toml: restart)";

/** The tools that the file names and the server does not have. */
export function missingNotices(
  server: string,
  { tools, read }: ServerConfig,
  listed: readonly Listed[],
): Notice[] {
  const names = listed.map(({ name }) => name);
  const missing = [...new Set([...(tools ?? []), ...read])].filter((name) => !names.includes(name));
  return missing.map((name) => {
    const meant = nearest(name, names);
    return {
      code: "mcp_tool",
      message: `The server ${server} has no tool ${name}, which config.toml names`,
      hint: meant === null ? "Type: desktop-assistant tools list" : `Did you mean ${meant}?`,
    };
  });
}
