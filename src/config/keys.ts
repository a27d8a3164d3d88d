// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Every key of config.toml: name, type and range, default, and one line for the person. The example
// file and the loader follow this table.
import {
  commandLine,
  flag,
  integer,
  modelServer,
  name,
  number,
  oneOf,
  path,
  program,
  type Type,
  text,
  texts,
  url,
  variables,
} from "./types.ts";

export type Key<T> = {
  name: string;
  type: Type<T>;
  /** When the file has no such key. */
  fallback: T;
  /** What the example file shows: the default, or for a key without one, something likely. */
  sample: unknown;
  meaning: string;
};

function key<T>(name: string, type: Type<T>, fallback: T, meaning: string): Key<T> {
  return { name, type, fallback, sample: fallback, meaning };
}

/** A key that is null unless the file has it. */
function unset<T>(name: string, type: Type<T>, sample: T, meaning: string): Key<T | null> {
  return { name, type, fallback: null, sample, meaning };
}

/** Every word is read by the model before each conversation. */
const system = `You are the personal assistant on a Linux desktop.
Answer in the language the person writes, as short as the question allows, without preamble or closing offer. Markdown is rendered: use lists, tables and fenced code when they help.
Facts about the person's computer, devices, accounts, mail, calendar or money come only from a tool: call it, then tell what it returned. If no tool can tell, or it fails, say so. Never guess such facts, and never say that something is done unless a tool did it. Everything else you answer yourself, without a tool.`;

export const top = {
  llm: unset(
    "llm",
    modelServer,
    "http://localhost:8181/v1",
    "Address of the model server. Unset: the first one found on this machine, else a built-in one.",
  ),
  model: unset(
    "model",
    name,
    "qwen3-4b-instruct",
    "A model of that server, or of the built-in one. Unset: the one that is loaded.",
  ),
  loadIfNone: key(
    "load_if_none",
    flag,
    true,
    "Whether a model may be loaded at the server when none is.",
  ),
  apiKeyFile: unset(
    "api_key_file",
    path,
    "~/.config/desktop-assistant/api-key",
    "File (mode 0600) with the server's key. The variable DESKTOP_ASSISTANT_API_KEY does it too.",
  ),
  system: key("system", text, system, "What the model is told before every conversation."),
  temperature: unset(
    "temperature",
    number(0, 2),
    0.7,
    "From 0 (sober) to 2 (wild). Unset: as the server wants it.",
  ),
  think: key("think", flag, true, "Whether a model that can think first does so."),
  toolRounds: key(
    "tool_rounds",
    integer(0, 20),
    3,
    "How many times in an answer the model may call tools, from 0 to 20.",
  ),
  toolsMode: key(
    "tools_mode",
    oneOf(["auto", "native", "plan"]),
    "auto",
    'How the model calls tools: "native", "plan" (for small models), or "auto" to find out.',
  ),
  warm: key(
    "warm",
    flag,
    true,
    "Whether the model reads its instructions while nobody asks, so that answers start sooner.",
  ),
  titles: key("titles", flag, true, "Whether the model writes the conversations' titles."),
  stall: key(
    "stall",
    number(1, 86_400),
    120,
    "Seconds without a sign of life after which the server is given up.",
  ),
  assistantName: unset("assistant_name", name, "Ada", "What the assistant is called."),
};

export const person = {
  name: unset("name", name, "Robin", "Your name."),
  address: unset("address", name, "Boss", "How you want to be addressed."),
};

export const engine = {
  command: unset(
    "command",
    program,
    "llama-server",
    "The llama-server to run. Unset: it is fetched.",
  ),
  threads: unset("threads", integer(1, 1024), 4, "Processor threads."),
  context: unset("context", integer(256, 16_777_216), 8192, "Tokens that the model can look at."),
  gpuLayers: unset("gpu_layers", integer(0, 9999), 99, "Layers of the model on the GPU."),
  batch: unset("batch", integer(1, 65_536), 512, "Tokens read in one step."),
};

export const server = {
  command: unset(
    "command",
    commandLine,
    ["mcp-server-files", "/srv/files"],
    "Program and arguments of a server that is started here.",
  ),
  url: unset("url", url, "http://localhost:9000/mcp", "Address of a server that runs already."),
  env: key("env", variables, {}, "Variables added to its environment."),
  tools: unset("tools", texts, ["read_file"], "The tools to offer. Unset: all."),
  read: key("read", texts, [], "Tools that only read, so that a call needs no yes from you."),
  timeout: key("timeout", number(1, 3600), 30, "Seconds that a call may take."),
  enabled: key("enabled", flag, true, "false: leave it off."),
};

/** The tables, in the order of the example file; null: its keys are the person's own. */
export const tables = {
  person: { keys: person, meaning: "You." },
  env: { keys: null, meaning: "Variables for every tool, such as addresses of your services." },
  engine: { keys: engine, meaning: "The built-in model server. Unset: chosen for this machine." },
  mcp: { keys: server, meaning: "A server of tools (MCP), by a name of your own." },
  plugins: { keys: null, meaning: "Settings of a plugin, by its name; the plugin says which." },
} as const;

/** Of the earlier program, which did voice too. */
export const voiceEra: readonly string[] = ["card", "whisper", "kokoro", "voice"];
