// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The types a key can have: each checks a value of the file and gives it as the program wants it.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { nearest } from "../toml/nearest.ts";
import { type Entry, fault, inside, wrongType } from "./entry.ts";

/** Gives the checked value, or throws ReadableError "config". */
export type Type<T> = (entry: Entry) => T;

/** A record whose keys come from a file: without prototype, so it has those and no others. */
export function record<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const made: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}

export const text: Type<string> = (entry) => {
  if (entry.kind !== "string" || typeof entry.value !== "string") {
    throw wrongType(entry, "a text in quotes");
  }
  return entry.value;
};

/** A text that says nothing when it is empty; "" is as good as not set. */
export const name: Type<string | null> = (entry) => text(entry).trim() || null;

/** A text that a process is given: the system's calls end it at a NUL. */
const argument: Type<string> = (entry) => {
  const value = text(entry);
  if (value.includes("\0")) throw fault(entry, "must not hold a NUL");
  return value;
};

export const url: Type<string> = (entry) => {
  const value = text(entry).trim();
  const parsed = URL.parse(value);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol) || parsed.hostname === "") {
    const hint = 'For example "http://localhost:8080".';
    throw fault(entry, "must be an address that begins with http:// or https://", hint);
  }
  return value;
};

export const modelServer: Type<string> = (entry) => {
  const value = url(entry);
  const parsed = URL.parse(value);
  if (parsed?.username || parsed?.password) {
    const hint = "Put the key into a file (mode 0600) and name it as api_key_file.";
    throw fault(entry, "must not hold a key or password", hint);
  }
  return value;
};

function homeAt(value: string): string {
  if (value === "~") return homedir();
  return value.startsWith("~/") ? join(homedir(), value.slice(2)) : value;
}

function nonEmpty(entry: Entry): string {
  const value = argument(entry);
  if (value.trim() === "") throw fault(entry, "must not be empty");
  return value;
}

/** An absolute path; "~" is the home folder, and a relative path begins at the config folder. */
export const path: Type<string> = (entry) => resolve(entry.source.folder, homeAt(nonEmpty(entry)));

/** As a path, but a name without a slash stays, to be looked for on PATH. */
export const program: Type<string> = (entry) => {
  const value = homeAt(nonEmpty(entry));
  return value.includes("/") ? resolve(entry.source.folder, value) : value;
};

export const flag: Type<boolean> = (entry) => {
  if (typeof entry.value !== "boolean") throw wrongType(entry, "true or false");
  return entry.value;
};

const inRange = (value: number, from: number, to: number) => value >= from && value <= to;

export function integer(from: number, to: number): Type<number> {
  const wanted = `an integer from ${from} to ${to}`;
  return (entry) => {
    if (entry.kind !== "integer") throw wrongType(entry, wanted);
    const value = Number(entry.value);
    if (!inRange(value, from, to)) throw fault(entry, `must be ${wanted}, and is ${value}`);
    return value;
  };
}

export function number(from: number, to: number): Type<number> {
  const wanted = `a number from ${from} to ${to}`;
  return (entry) => {
    if (entry.kind !== "integer" && entry.kind !== "float") throw wrongType(entry, wanted);
    const value = Number(entry.value);
    if (!inRange(value, from, to)) throw fault(entry, `must be ${wanted}, and is ${value}`);
    return value;
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Type<T> {
  return (entry) => {
    const value = text(entry);
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const near = nearest(value, choices);
    const listed = choices.map((choice) => `"${choice}"`).join(", ");
    throw fault(entry, `must be one of ${listed}`, near === null ? "" : `Did you mean "${near}"?`);
  };
}

export const texts: Type<string[]> = (entry) => {
  if (entry.kind !== "list") throw wrongType(entry, "a list of texts");
  return inside(entry).map(argument);
};

/** A program and its arguments. */
export const commandLine: Type<string[]> = (entry) => {
  const parts = texts(entry);
  if (parts[0] === undefined || parts[0].trim() === "") {
    throw fault(entry, "must begin with the name of a program");
  }
  return parts;
};

/** Variables for a process: any single value, written as TOML writes it. */
export const variables: Type<Record<string, string>> = (entry) => {
  if (entry.kind !== "table") throw wrongType(entry, "a table");
  return record(
    inside(entry).map((variable) => {
      if (variable.name === "" || /[=\0]/.test(variable.name)) {
        throw fault(variable, "can't be the name of a variable");
      }
      return [variable.name, written(variable)];
    }),
  );
};

function written(variable: Entry): string {
  const { kind, value } = variable;
  if (kind === "string") return argument(variable);
  if (kind === "float") return float(Number(value));
  if (typeof value === "object") {
    throw wrongType(variable, "a single value (text, number, true or false, date)");
  }
  return String(value);
}

function float(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}
