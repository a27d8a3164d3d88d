// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// config.toml to checked values.
import { dirname, resolve } from "node:path";
import type { Config, McpConfig } from "./config.ts";
import { type Entry, fault, inside, type Source, wrongType } from "./entry.ts";
import { engine, person, server, tables, top } from "./keys.ts";
import { readText } from "./read.ts";
import { namesOf, section } from "./section.ts";
import { record, variables } from "./types.ts";

/**
 * Reads the file; a missing one is all defaults. Rejects with ReadableError "config" (cannot be
 * read, unknown key, wrong type, out of range) or "toml" (no TOML), which name file, line and key.
 */
export async function loadConfig(file: string): Promise<Config> {
  const path = resolve(file);
  const text = readText(path);
  if (text === null) return check(null);
  // The TOML parser is loaded only when there is something to parse: it costs a start 10 ms.
  const { parseToml } = await import("../toml/parse.ts");
  const document = parseToml(text, path);
  const source = { path, folder: dirname(path), document };
  const [ignored] = document.ignored;
  if (ignored) throw fault({ source, path: ignored.path }, "is no known key");
  return check(source);
}

function check(source: Source | null): Config {
  const whole: Entry | null = source && {
    source,
    path: [],
    value: source.document.value,
    kind: "table",
  };
  const { take, below } = section(whole, [...namesOf(top), ...Object.keys(tables)]);
  const you = section(below("person"), namesOf(person)).take;
  const machine = section(below("engine"), namesOf(engine)).take;
  const env = below("env");
  return {
    llm: take(top.llm),
    model: take(top.model),
    loadIfNone: take(top.loadIfNone),
    apiKeyFile: take(top.apiKeyFile),
    system: take(top.system),
    temperature: take(top.temperature),
    think: take(top.think),
    toolRounds: take(top.toolRounds),
    toolsMode: take(top.toolsMode),
    warm: take(top.warm),
    titles: take(top.titles),
    stall: take(top.stall),
    assistantName: take(top.assistantName),
    person: { name: you(person.name), address: you(person.address) },
    env: env ? variables(env) : record([]),
    engine: {
      command: machine(engine.command),
      threads: machine(engine.threads),
      context: machine(engine.context),
      gpuLayers: machine(engine.gpuLayers),
      batch: machine(engine.batch),
    },
    mcp: record(named(below("mcp")).map((entry) => [entry.name, checkServer(entry)])),
    plugins: record(named(below("plugins")).map((entry) => [entry.name, openTable(entry)])),
  };
}

/** The tables of a table, by the person's own names. */
function named(entry: Entry | null): (Entry & { name: string })[] {
  if (!entry) return [];
  if (entry.kind !== "table") throw wrongType(entry, "a table of tables, each with a name");
  return inside(entry);
}

function checkServer(entry: Entry): McpConfig {
  const { take } = section(entry, namesOf(server));
  const checked = {
    command: take(server.command),
    url: take(server.url),
    env: take(server.env),
    tools: take(server.tools),
    read: take(server.read),
    timeout: take(server.timeout),
    enabled: take(server.enabled),
  };
  if ((checked.command === null) === (checked.url === null)) {
    const hint = "A server is started by its command, or runs already at its url.";
    throw fault(entry, "must have either command or url", hint);
  }
  return checked;
}

function openTable(entry: Entry): Record<string, unknown> {
  const { value } = entry;
  if (typeof value !== "object" || Array.isArray(value)) throw wrongType(entry, "a table");
  return value;
}
