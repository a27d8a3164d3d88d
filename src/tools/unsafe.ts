// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds the commands in which a value would be run as code: a placeholder in a script's text.
import { basename } from "node:path";
import { type Interpreter, interpreters, launchers, readers } from "./interpreters.ts";

/** The elements after the interpreter's name that it would run as code. */
function codeIn(kind: Interpreter, rest: readonly string[]): string[] {
  const { code, late = false, value, file, glued = /^-/, operands, passes } = kind;
  const found: string[] = [];
  let options = true;
  let brought = false;
  let passed = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const text = rest[at] ?? "";
    if (options && text === "--") options = false;
    else if (options && code.test(text)) {
      brought = true;
      if (late) continue;
      at += 1;
      found.push(rest[at] ?? "");
      if (kind.ends) return found;
    } else if (options && file?.test(text)) {
      brought = true;
      at += 1;
    } else if (options && value?.test(text)) at += 1;
    else if (options && /^[-+]./.test(text)) {
      if (glued.test(text)) found.push(text);
    } else if (passes?.words.test(text) && passed < passes.most) passed += 1;
    else if (operands === "line") return [...found, ...rest.slice(at)];
    else if (operands === "remote") return [...found, ...rest.slice(at + 1)];
    else {
      if (operands === "text" ? !brought : late && brought) found.push(text);
      return found;
    }
  }
  return found;
}

/**
 * What makes a command unsafe, or null: a placeholder in the name of the program, or inside a script
 * text, where a value would be run as code. The message shows the safe form.
 */
export function unsafe(command: readonly string[], params: readonly string[]): string | null {
  const held = (text: string) => params.find((name) => text.includes(`{${name}}`));
  const leader = basename(command[0] ?? "");
  if (held(leader) !== undefined)
    return /\s/.test(leader)
      ? 'each argument is a text of its own: ["program", "{argument}"]'
      : "the program's own name must not come from a parameter";
  if (readers.test(leader)) return null;
  // At any place: env, sudo, docker exec, find -exec and many others start a program of their own.
  for (const [at, element] of command.entries()) {
    const program = basename(element);
    const kind = interpreters.find((one) => one.program.test(program));
    if (!kind || (kind.direct && at > 0 && !launchers.test(leader))) continue;
    const name = codeIn(kind, command.slice(at + 1))
      .map(held)
      .find((one) => one !== undefined);
    if (name === undefined) continue;
    return `a value of {${name}} would be run as code by ${program}; ${safeForm(program, name)}`;
  }
  return null;
}

function safeForm(program: string, name: string): string {
  const instead = "hand it over as an argument instead:";
  if (/^(?:ba|da|z|k)?sh$/.test(program))
    return `${instead} ["${program}", "-c", "… \\"$1\\" …", "${program}", "{${name}}"]`;
  if (/^python/.test(program))
    return `${instead} ["${program}", "-c", "import sys; … sys.argv[1] …", "{${name}}"]`;
  if (/awk$/.test(program))
    return `${instead} ["${program}", "-v", "value={${name}}", "… value …"]`;
  return `put the script into a file beside the tool's and hand the value to it: ["./my-script", "{${name}}"]`;
}
