// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Copies an example tool into the person's folder, and says what it needs to run.
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanLine } from "../chat/clean.ts";
import { ReadableError, systemCode } from "../errors.ts";
import { toolsFolder } from "../paths.ts";
import { out } from "./terminal.ts";

type Environment = Record<string, string | undefined>;

const examples = fileURLToPath(new URL("../../examples/tools/", import.meta.url));

/** A program that a tool calls, and how to get it. */
type Need = { program: string; how: string };
type Example = { description: string; needs: Need[]; settings: string[] };

/**
 * The files are our own, so a look at single lines is enough; the daemon reads them whole. A comment
 * `# Needs: PROGRAM (HOW)` names a program, `# Setting: NAME, what it is` a key of [env].
 */
function readExample(name: string, folder: string): Example {
  const text = readFileSync(join(folder, `${name}.toml`), "utf8");
  const needs = [...text.matchAll(/^#\s*Needs:\s*(\S+)\s*(?:\((.*)\))?/gm)].map(
    ([, program = "", how = ""]) => ({ program, how }),
  );
  return {
    description: /^description\s*=\s*"(.*)"\s*$/m.exec(text)?.[1] ?? "",
    needs,
    settings: [...text.matchAll(/^#\s*Setting:\s*(.*)$/gm)].map(([, setting = ""]) => setting),
  };
}

function isThere(program: string, env: Environment, folder: string): boolean {
  const places = program.includes("/")
    ? [program]
    : [folder, ...(env.PATH ?? "").split(delimiter)].map((place) => join(place, program));
  return places.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch (cause) {
      if (systemCode(cause) !== "") return false;
      throw cause;
    }
  });
}

export function listExamples(folder = examples): number {
  for (const name of names(folder))
    out(`${name}  ${cleanLine(readExample(name, folder).description)}`);
  return 0;
}

const names = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".toml"))
    .map((file) => file.slice(0, -".toml".length))
    .sort();

/** Copies NAME.toml and the files beside it that share its name. Never overwrites without `force`. */
export function addTool(
  name: string,
  options: { force?: boolean; env?: Environment; folder?: string } = {},
): number {
  const { force = false, env = process.env, folder = examples } = options;
  if (!names(folder).includes(name)) {
    throw new ReadableError("no_tool", `there is no example tool ${cleanLine(name)}`, {
      hint: `There are: ${names(folder).join(", ")}`,
    });
  }
  const target = toolsFolder(env);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
  for (const file of files) copy(join(folder, file), join(target, file), force);
  out(`Added ${files.map((file) => join(target, file)).join(", ")}`);
  out("The next conversation has it (in the chat: /new).");
  const { needs, settings } = readExample(name, folder);
  for (const setting of settings) out(cleanLine(`Setting for [env] in config.toml: ${setting}`));
  for (const { program, how } of needs) {
    if (isThere(program, env, target)) continue;
    out(cleanLine(`The program ${program} is missing. ${how}`));
  }
  return 0;
}

function copy(from: string, to: string, force: boolean): void {
  try {
    copyFileSync(from, to, force ? 0 : constants.COPYFILE_EXCL);
    // A clone made with a loose umask: the daemon refuses what others can write to.
    chmodSync(to, statSync(from).mode & 0o755);
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause;
    throw new ReadableError("exists", `${to} is there already`, {
      hint: "It may hold your changes. With --force it is overwritten.",
    });
  }
}
