// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The [params.*] tables of a TOML tool.
import type { TomlPath, TomlTable, TomlValue } from "../toml/document.ts";
import { faultOf } from "./fault.ts";
import type { Reader } from "./reader.ts";
import { formatNames, kindly, objectSchema, type ShortParam, typeNames, types } from "./schema.ts";

const keys = [
  "type",
  "description",
  "desc",
  "required",
  "default",
  "enum",
  "format",
  "minimum",
  "maximum",
  "maxLength",
  "pattern",
  "dash",
];

/** The parameters, and which of them may hold a value that looks like an option. */
export function readParams(
  reader: Reader,
  table: TomlTable,
): { params: Record<string, ShortParam>; dashes: Set<string> } {
  const params: Record<string, ShortParam> = {};
  const dashes = new Set<string>();
  for (const [name, value] of Object.entries(table)) {
    const path = ["params", name];
    const about = reader.table(path, value);
    for (const key of Object.keys(about))
      if (!keys.includes(key)) reader.unknown([...path, key], keys);
    params[name] = readParam(reader, path, about);
    if (reader.flag([...path, "dash"], about.dash)) dashes.add(name);
  }
  return { params, dashes };
}

function readParam(reader: Reader, path: TomlPath, about: TomlTable): ShortParam {
  const at = (key: string) => [...path, key];
  const description = about.description ?? about.desc;
  const format = reader.choice(at("format"), about.format, formatNames);
  const pattern =
    about.pattern === undefined ? undefined : reader.text(at("pattern"), about.pattern);
  if (pattern !== undefined) compiled(reader, at("pattern"), pattern);
  const param: ShortParam = {
    type: reader.choice(at("type"), about.type, typeNames) ?? "string",
    description: description === undefined ? "" : reader.text(at("description"), description),
    required: reader.flag(at("required"), about.required),
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
    ...numbers(reader, path, about),
  };
  const asTyped = (key: string, value: TomlValue): unknown => {
    // Integers beyond 2^53 are only to look at: as text.
    const taken = kindly(typeof value === "bigint" ? String(value) : value, {
      ...types[param.type],
      enum: param.enum,
    });
    const wrong =
      Number.isFinite(taken) || typeof taken !== "number"
        ? faultOf(objectSchema({ it: param }), { it: taken })
        : "it: must be a finite number";
    if (wrong !== null) throw reader.fault(at(key), `${key} ${wrong.replace(/^it: /, "")}`);
    return taken;
  };
  if (about.enum !== undefined) {
    if (!Array.isArray(about.enum) || about.enum.length === 0)
      throw reader.fault(at("enum"), "enum must be a list with something in it");
    param.enum = about.enum.map((choice) => asTyped("enum", choice));
  }
  // An empty default says the same as none.
  if (about.default === undefined || about.default === "") return param;
  return { ...param, default: asTyped("default", about.default) };
}

function compiled(reader: Reader, path: TomlPath, pattern: string): void {
  try {
    new RegExp(pattern, "u");
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw reader.fault(path, `pattern is no regular expression: ${cause.message}`);
  }
}

function numbers(
  reader: Reader,
  path: TomlPath,
  about: TomlTable,
): Pick<ShortParam, "minimum" | "maximum" | "maxLength"> {
  const found: Pick<ShortParam, "minimum" | "maximum" | "maxLength"> = {};
  for (const key of ["minimum", "maximum", "maxLength"] as const) {
    const value = about[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value))
      throw reader.fault([...path, key], `${key} must be a number`);
    if (key === "maxLength" && !(Number.isInteger(value) && value > 0))
      throw reader.fault([...path, key], "maxLength must be a whole number above 0");
    found[key] = value;
  }
  return found;
}
