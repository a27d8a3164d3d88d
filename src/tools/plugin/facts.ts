// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plugin's tool as its process describes it: parsed, and refused with a word about what is wrong.
import { ReadableError } from "../../errors.ts";
import { nearest } from "../../toml/nearest.ts";
import { asRecord } from "../schema.ts";
import type { Announce, Tool, WholeTool } from "../tool.ts";
import { faultIn } from "../whole.ts";

export type Facts = Omit<WholeTool, "configKey" | "made"> &
  Pick<Tool, "configKey"> & { timeout: number; binds: boolean; closes: boolean };

/** Seconds. */
const usualTimeout = 30;
/** Mistyped, these would make a tool freer than its writer meant. */
const guards = ["effect", "confirm", "untrusted", "personal"];
/** What the earlier contract of tools called them. */
const earlier: Record<string, string> = {
  side_effects: 'effect: "change"',
  sideEffects: 'effect: "change"',
  requires_confirmation: 'confirm: "always"',
  requiresConfirmation: 'confirm: "always"',
};

const never = () => Promise.reject(new Error("it runs in its own process"));

type Fault = { name: string; place: string; fault: unknown };

/** The tools of one plugin, and what is no tool of it, with its place in a longer list. */
export function readList(given: readonly unknown[]): { facts: Facts[]; faults: Fault[] } {
  const found = new Map<string, Facts>();
  const faults: Fault[] = [];
  if (given.length === 0) {
    const fault = new ReadableError("plugin", "its list has no tool");
    faults.push({ name: "", place: "", fault });
  }
  for (const [at, one] of given.entries()) {
    try {
      const facts = readFacts(one);
      if (found.has(facts.name))
        throw new ReadableError("plugin", `${facts.name} is in its list twice`);
      found.set(facts.name, facts);
    } catch (fault) {
      const { name } = asRecord(one);
      const place = given.length > 1 ? `tool ${at + 1} of its list: ` : "";
      faults.push({ name: typeof name === "string" ? name : "", place, fault });
    }
  }
  return { facts: [...found.values()], faults };
}

/** Throws ReadableError "plugin" for what is no tool. */
function readFacts(value: unknown): Facts {
  const given = asRecord(value);
  const out = (why: string, hint = "") => new ReadableError("plugin", why, { hint });
  if (typeof given.fault === "string") throw out(given.fault);
  const { calls, names, announce, ...fields } = given;
  const spoken = phrases(announce);
  const fault = faultIn({ ...fields, announce: spoken, call: calls === true ? never : undefined });
  if (fault !== null) throw out(fault);
  const name = String(given.name);
  for (const key of Array.isArray(names) ? names.map(String) : []) {
    const older = Object.hasOwn(earlier, key) ? earlier[key] : undefined;
    if (older) throw out(`${name}: unknown key ${key}`, `Write: ${older}`);
    const near = guards.includes(key) ? null : nearest(key, guards);
    if (near !== null) throw out(`${name}: unknown key ${key}`, `Did you mean ${near}?`);
  }
  const { configKey, effect, confirm, timeout } = given;
  return {
    name,
    ...(typeof configKey === "string" && { configKey }),
    description: String(given.description),
    parameters: asRecord(given.parameters),
    effect: effect === "send" || effect === "change" ? effect : "read",
    confirm: confirm === "always" || confirm === "never" ? confirm : "auto",
    untrusted: given.untrusted === true,
    personal: given.personal === true,
    announce: asAnnounce(spoken),
    timeout: typeof timeout === "number" ? timeout : usualTimeout,
    binds: given.binds === true,
    closes: given.closes === true,
  };
}

/** One phrase may stand for a list of one. */
function phrases(announce: unknown): unknown {
  if (typeof announce !== "object" || announce === null || Array.isArray(announce)) return announce;
  return Object.fromEntries(
    Object.entries(announce).map(([language, said]) => [
      language,
      typeof said === "string" ? [said] : said,
    ]),
  );
}

function asAnnounce(spoken: unknown): Announce {
  return Object.fromEntries(
    Object.entries(asRecord(spoken)).map(([language, said]) => [
      language,
      Array.isArray(said) ? said.map(String) : [],
    ]),
  );
}
