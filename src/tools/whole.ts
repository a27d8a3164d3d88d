// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool made whole: defaults filled in, short forms turned into a schema, and what is no tool refused.
import { ReadableError } from "../errors.ts";
import { nearest } from "../toml/nearest.ts";
import { tooDeep } from "./depth.ts";
import { asRecord, typeNames, wholeSchema } from "./schema.ts";
import type { Tool, WholeTool } from "./tool.ts";

const fitName = /^[A-Za-z0-9_-]{1,64}$/;
const effects: readonly unknown[] = [undefined, "read", "send", "change"];
const confirms: readonly unknown[] = [undefined, "auto", "always", "never"];
const flags: readonly unknown[] = [undefined, true, false];
/** What a parameter's short form may have, and what of JSON Schema is near to that. */
const paramKeys =
  "type description desc required default enum format minimum maximum maxLength pattern".split(" ");
const keywords = new Set(
  [
    "minLength minItems maxItems items title const examples deprecated",
    "exclusiveMinimum exclusiveMaximum patternProperties",
  ].flatMap((words) => words.split(" ")),
);
/** Seconds; a day. */
const longestTimeout = 86_400;

/** What keeps a value from being a tool, or null; those who write plugins have no compiler at hand. */
export function faultIn(tool: Partial<Record<keyof Tool, unknown>>): string | null {
  const { name, description, parameters, effect, confirm, timeout, configKey, announce } = tool;
  if (typeof name !== "string" || !fitName.test(name))
    return "its name must be letters, digits, _ and -, 64 at most";
  if (typeof description !== "string" || description.trim() === "")
    return `${name} needs a description`;
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters))
    return `${name} needs parameters: a JSON Schema of an object, or short forms by name`;
  if (tooDeep(parameters)) return `${name}: its parameters are nested too deeply`;
  if ("type" in parameters && typeof parameters.type === "string" && parameters.type !== "object")
    return `${name}: its parameters must be of type "object"`;
  if (typeof tool.call !== "function") return `${name} needs a function call(args, { signal })`;
  if (!effects.includes(effect)) return `${name}: effect must be "read", "send" or "change"`;
  if (!confirms.includes(confirm)) return `${name}: confirm must be "auto", "always" or "never"`;
  for (const flag of ["untrusted", "personal"] as const)
    if (!flags.includes(tool[flag])) return `${name}: ${flag} must be true or false`;
  if (
    timeout !== undefined &&
    !(typeof timeout === "number" && timeout > 0 && timeout <= longestTimeout)
  )
    return `${name}: timeout must be a number of seconds above 0, ${longestTimeout} at most`;
  if (configKey !== undefined && typeof configKey !== "string")
    return `${name}: configKey must be a text`;
  if (announce !== undefined && !arePhrases(announce))
    return `${name}: announce must be lists of phrases by language`;
  const param = faultyParam(parameters);
  return param === null ? null : `${name}: ${param}`;
}

function arePhrases(announce: unknown): boolean {
  if (typeof announce !== "object" || announce === null || Array.isArray(announce)) return false;
  return Object.values(announce).every(
    (said) => Array.isArray(said) && said.every((phrase) => typeof phrase === "string"),
  );
}

/** A short form whose type is no word for one would let everything through. */
function faultyParam(parameters: object): string | null {
  if ("type" in parameters && typeof parameters.type === "string") return null;
  if ("$ref" in parameters) return null;
  for (const [param, about] of Object.entries(parameters)) {
    if (typeof about !== "object" || about === null)
      return `parameter ${param} must be an object such as { type: "string" }`;
    for (const key of Object.keys(about)) {
      const near = paramKeys.includes(key) || keywords.has(key) ? null : nearest(key, paramKeys);
      if (near !== null) return `parameter ${param}: unknown key ${key}; did you mean ${near}?`;
    }
    const { type = "string" } = asRecord(about);
    if (typeof type !== "string" || !typeNames.includes(type))
      return `parameter ${param}: type must be one of ${typeNames.join(", ")}`;
  }
  return null;
}

/** Throws ReadableError "bad_tool" for what is no tool. */
export function wholeTool(tool: Tool): WholeTool {
  const fault = faultIn(tool);
  if (fault !== null) throw new ReadableError("bad_tool", fault);
  const { name, configKey = name, effect = "read", confirm = "auto", announce = {} } = tool;
  return Object.freeze({
    name,
    configKey,
    description: tool.description.replaceAll(/\s+/g, " ").trim(),
    parameters: wholeSchema(tool.parameters, { sends: effect === "send" }),
    effect,
    confirm,
    untrusted: tool.untrusted ?? false,
    personal: tool.personal ?? false,
    announce,
    made: tool,
  });
}
