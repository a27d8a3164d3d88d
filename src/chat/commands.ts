// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The chat's own commands: a line that begins with a slash.

export const commandHelp: readonly [string, string][] = [
  ["/new", "begin a new conversation"],
  ["/private", "begin one of which nothing reaches the disk"],
  ["/list", "the conversations, newest first"],
  ["/open ID", "go on with a conversation"],
  ["/search WORDS", "find words in all conversations"],
  ["/delete ID", "delete a conversation for good"],
  ["/model [NAME]", "the models there are, or use another one"],
  ["/tools", "the tools there are, and what is wrong with those that are not ready"],
  ["/think", "show the thinking and the tool results whole, or fold them again (Ctrl-T)"],
  ["/stats", "say after each answer how long it took and how much was read, or no longer"],
  ["/help", "this list"],
  ["/quit", "leave (Ctrl-D); the assistant goes on running"],
];

const simple = ["new", "private", "list", "tools", "think", "stats", "help", "quit"] as const;
type Simple = (typeof simple)[number];
const isSimple = (name: string): name is Simple => simple.some((known) => known === name);

export type Command =
  | { [Name in Simple]: { type: Name } }[Simple]
  | { type: "open" | "delete"; id: number }
  | { type: "search"; words: string }
  | { type: "model"; name: string | null }
  | { type: "wrong"; message: string };

const names = [...simple, "open", "delete", "search", "model"];

/** Null for a line that is a question. A path such as /etc/fstab is one, too. */
export function readCommand(line: string): Command | null {
  const found = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(line.trim());
  const name = found?.[1];
  if (name === undefined) return null;
  const rest = found?.[2]?.trim() ?? "";
  if (isSimple(name)) return { type: name };
  if (name === "exit" || name === "q") return { type: "quit" };
  if (name === "model") return { type: "model", name: rest || null };
  if (name === "search") {
    return rest
      ? { type: "search", words: rest }
      : { type: "wrong", message: "Type: /search WORDS" };
  }
  if (name === "open" || name === "delete") {
    return /^[0-9]{1,15}$/.test(rest)
      ? { type: name, id: Number(rest) }
      : { type: "wrong", message: `Type: /${name} ID (the number that /list shows)` };
  }
  const near = names.find((known) => known.startsWith(name));
  return {
    type: "wrong",
    message: `There is no command /${name}. ${near ? `Do you mean /${near}?` : "Type: /help"}`,
  };
}
