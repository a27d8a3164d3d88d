// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A TOML file that describes a command, made into a tool, or kept out with a word about why.
import { basename, dirname } from "node:path";
import type { Notice } from "../message.ts";
import type { TomlTable } from "../toml/document.ts";
import { nearest } from "../toml/nearest.ts";
import { parseToml } from "../toml/parse.ts";
import { unknownPlaceholders } from "./argv.ts";
import { preview, programFault, runCommand } from "./command.ts";
import { apart } from "./fit-name.ts";
import { readParams } from "./params.ts";
import { Reader } from "./reader.ts";
import { objectSchema } from "./schema.ts";
import type { Confirm, Effect, Tool } from "./tool.ts";
import { unsafe } from "./unsafe.ts";

const keys = [
  "description",
  "command",
  "timeout",
  "params",
  "announce",
  "effect",
  "untrusted",
  "personal",
  "confirm",
];
const languageTag = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/;
/** Seconds. */
const usualTimeout = 10;

/** A name fit for a model: letters, digits, `_` and `-`, 64 at most. */
export function fitName(stem: string): string {
  const latin = stem.normalize("NFKD").replaceAll(/\p{M}+/gu, "");
  const fit = latin.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
  return apart(stem, /[A-Za-z0-9]/.test(fit) || fit === stem ? fit || "tool" : "tool");
}

export type ToolFile = {
  tool: Tool;
  /** What was wrong in the file, though it can be used. */
  notices: Notice[];
  /** Why its program can't be started right now, or null. */
  unable: () => Notice | null;
};

/** Makes the tool of one file. Throws ReadableError "toml" or "tool_file" when the file has to stay out. */
export function tomlTool(
  path: string,
  text: string,
  env: Record<string, string | undefined>,
): ToolFile {
  const document = parseToml(text, path);
  const reader = new Reader(path, document);
  const top = document.value;
  for (const { path: ignored } of document.ignored)
    reader.note(ignored, `unknown key ${ignored.at(-1)} is ignored`);
  for (const key of Object.keys(top))
    if (!keys.includes(key)) reader.unknown([key], keys, top[key]);

  if (top.description === undefined)
    throw reader.missing(top, "description", 'Write: description = "What it tells."');
  if (top.command === undefined)
    throw reader.missing(top, "command", 'Write: command = ["program", "{argument}"]');
  const description = reader.text(["description"], top.description).replaceAll(/\s+/g, " ").trim();
  if (description === "") throw reader.fault(["description"], "description is empty");
  const argv = reader.texts(["command"], top.command);
  if (!argv[0]) throw reader.fault(["command"], "command is empty");
  const timeout = top.timeout ?? usualTimeout;
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= 86_400)) {
    throw reader.fault(["timeout"], "timeout must be a number of seconds above 0");
  }
  const { params, dashes } = readParams(reader, reader.table(["params"], top.params));
  const names = Object.keys(params);
  const danger = unsafe(argv, names);
  if (danger) throw reader.fault(["command"], danger);
  for (const { name, at } of unknownPlaceholders(argv, new Set(names))) {
    const near = nearest(name, names);
    const hint = near ? `Did you mean {${near}}?` : "";
    reader.note(["command", at], `{${name}} is no parameter, so it stands for nothing`, hint);
  }

  const effect: Effect =
    reader.choice(["effect"], top.effect, ["read", "send", "change"] as const) ?? "read";
  const confirm: Confirm =
    reader.choice(["confirm"], top.confirm, ["auto", "always", "never"] as const) ?? "auto";
  const command = {
    argv,
    params: new Set(names),
    dashes,
    timeoutMs: timeout * 1000,
    folder: dirname(path),
    env,
  };
  const tool: Tool = {
    name: fitName(basename(path, ".toml")),
    description,
    parameters: objectSchema(params, { sends: effect === "send" }),
    effect,
    confirm,
    untrusted: reader.flag(["untrusted"], top.untrusted),
    personal: reader.flag(["personal"], top.personal),
    announce: phrases(reader, reader.table(["announce"], top.announce)),
    preview: (args) => preview(command, args),
    call: (args, { signal }) => runCommand(command, args, signal),
  };
  const unable = () => {
    const fault = programFault(command);
    return fault && reader.said(["command"], fault.why, fault.hint);
  };
  return { tool, notices: reader.notices, unable };
}

/** By language; one phrase may stand for a list of one. */
function phrases(reader: Reader, table: TomlTable): Record<string, readonly string[]> {
  const spoken: Record<string, readonly string[]> = {};
  for (const [language, said] of Object.entries(table)) {
    const path = ["announce", language];
    if (languageTag.test(language))
      spoken[language] = typeof said === "string" ? [said] : reader.texts(path, said);
    else reader.unknown(path, ["en", "de"]);
  }
  return spoken;
}
