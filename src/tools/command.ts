// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the command of a TOML tool: no shell, its own process group, and an answer for every end.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { ReadableError, systemCode } from "../errors.ts";
import { run } from "../process/run.ts";
import { othersCanWrite } from "./access.ts";
import { fill } from "./argv.ts";
import { failure } from "./result.ts";
import type { Arguments } from "./schema.ts";
import type { Preview, ToolOutcome } from "./tool.ts";

export type Command = {
  argv: readonly string[];
  params: ReadonlySet<string>;
  /** Parameters whose values may look like options. */
  dashes: ReadonlySet<string>;
  /** Milliseconds. */
  timeoutMs: number;
  /** The tools folder: the working folder, and where a bare name is looked up first. */
  folder: string;
  /** The whole environment of the program. */
  env: Record<string, string | undefined>;
};

/** A bare name stands for the file beside the TOML files, if there is one that can be run. */
function located(name: string, folder: string): string {
  if (name.includes("/")) return name;
  const beside = join(folder, name);
  // Not there, or not to be run: PATH has its turn.
  return runs(beside) === "yes" ? beside : name;
}

/**
 * Why the program could not be started as things are, or null; one named by a parameter is not known
 * before a call.
 */
export function programFault({ argv, folder, env }: Command): { why: string; hint: string } | null {
  const [name = ""] = argv;
  if (name.includes("{")) return null;
  const near = resolve(folder, name);
  const path = name.includes("/") ? "" : (env.PATH ?? "");
  const onPath = path.split(delimiter).flatMap((place) => (place ? [join(place, name)] : []));
  if ([near, ...onPath].some((file) => runs(file) === "yes")) return null;
  if (runs(near) === "no")
    return { why: `${near} is not executable`, hint: `Type: chmod +x ${near}` };
  const hint = name.startsWith("~")
    ? "There is no shell that knows ~: write the whole path."
    : "Install it, or mend the name in command.";
  return { why: `cannot run ${name}: no such program`, hint };
}

function runs(file: string): "yes" | "no" | "missing" {
  try {
    if (!statSync(file).isFile()) return "missing";
    accessSync(file, constants.X_OK);
    return "yes";
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "") throw cause;
    return code === "EACCES" ? "no" : "missing";
  }
}

/** What others could put their own words into is as little to be run as a tool file is to be read. */
function unsafeFile(name: string, folder: string): boolean {
  if (!name.includes("/")) return false;
  const seen = statSync(resolve(folder, name), { throwIfNoEntry: false });
  return seen?.isFile() === true && othersCanWrite(seen);
}

/** Bytes that are not UTF-8 become U+FFFD: a tool's output is read leniently. */
const lenient = (bytes: Buffer) => bytes.toString("utf8").trim();

/** A progress line is written over with carriage returns; only its last state counts. */
const lastLine = (text: string) =>
  text
    .split(/[\r\n]/)
    .at(-1)
    ?.trim();

/** The argv that would run: a program beside the TOML files with its whole path. */
export function preview(command: Command, args: Arguments): Preview {
  const filled = fill(command.argv, args, command);
  if ("fault" in filled) return filled;
  const [name = "", ...rest] = filled.argv;
  return { argv: [located(name, command.folder), ...rest] };
}

export async function runCommand(
  command: Command,
  args: Arguments,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const filled = fill(command.argv, args, command);
  if ("fault" in filled) return failure(filled.fault);
  const [name = "", ...rest] = filled.argv;
  const { folder, env, timeoutMs } = command;
  try {
    const program = located(name, folder);
    if (unsafeFile(program, folder)) return failure(`cannot run ${name}: others can write to it`);
    const ended = await run([program, ...rest], { cwd: folder, env, timeoutMs, signal });
    if (ended.timedOut) return failure("timed out");
    // What floods is ended; what it said until then is its answer, unless it only complained.
    const { stdout, stderr, cut } = ended;
    if (cut && stderr.length > stdout.length) return failure("its error output has no end");
    if (ended.status === 0 || cut) {
      const text = lenient(stdout);
      return { ok: true, data: text, text };
    }
    const said = lastLine(lenient(stderr));
    if (said) return failure(said);
    return failure(
      ended.status === null ? `ended by ${ended.signal}` : `exit status ${ended.status}`,
    );
  } catch (thrown) {
    if (thrown instanceof ReadableError) return failure(thrown.message);
    throw thrown;
  }
}
