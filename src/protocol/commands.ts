// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a client may say: a line of text to a command with checked fields.
import { ReadableError } from "../errors.ts";

/** Events that a client gets only after asking for them by name. */
export const featureNames = [
  "confirm",
  "progress",
  "notice",
  "job",
  "queue",
  "changed",
  "voice",
  "reminder",
] as const;
export type Feature = (typeof featureNames)[number];

export type Fields = Readonly<Record<string, unknown>>;

/** A command before its fields are read; `req` is the client's own mark for the answer. */
export type Command = { type: string; req: string | undefined; fields: Fields };

const badCommand = () =>
  new ReadableError("bad_command", "bad command", {
    hint: 'A command is one JSON object a line with a string "type".',
  });

/** Reads one line; null (see LineReader) and anything malformed throw ReadableError "bad_command". */
export function parseCommand(line: string | null): Command {
  if (line === null) throw badCommand();
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw badCommand();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badCommand();
  const fields: Fields = { ...value };
  if (typeof fields.type !== "string") throw badCommand();
  const { type, req } = fields;
  return { type, req: typeof req === "string" ? req : undefined, fields };
}

/** A version 1 text: a value that is not a string is taken as its text; lone surrogates are replaced. */
export function textField(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === null) return "";
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

function wrong(name: string, wanted: string): ReadableError {
  return new ReadableError("bad_field", `"${name}" must be ${wanted}`);
}

/** An id or a count, or undefined when absent or null. */
export function integerField(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw wrong(name, "an integer");
  return value;
}

/** A count of rows: 1 or more, or undefined when absent or null. */
export function limitField(fields: Fields, name: string): number | undefined {
  const value = integerField(fields, name);
  if (value !== undefined && value < 1) throw wrong(name, "1 or more");
  return value;
}

/** A non-empty string, or undefined when absent or null. */
export function stringField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value === "") throw wrong(name, "a string that is not empty");
  return value.toWellFormed();
}

/** Like stringField, but it must be there. */
export function neededString(fields: Fields, name: string): string {
  const value = stringField(fields, name);
  if (value === undefined) throw wrong(name, "a string that is not empty");
  return value;
}

export function booleanField(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw wrong(name, "true or false");
  return value;
}

/** The session a command speaks to; absent means "main". At most 64 characters. */
export function sessionField(fields: Fields): string {
  const name = stringField(fields, "session") ?? "main";
  if (name.length > 64) throw wrong("session", "at most 64 characters long");
  return name;
}

/** The names of `features`; unknown ones are ignored, so that a newer client works. */
export function featuresField(fields: Fields): Set<Feature> {
  const { names } = fields;
  if (!Array.isArray(names)) throw wrong("names", "a list of strings");
  return new Set(featureNames.filter((name) => names.includes(name)));
}
