// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What came of one TOML file: its tool, or why there is none.
import { basename } from "node:path";
import type { Notice } from "../message.ts";
import { faultOf, type SeenFile } from "./file.ts";
import type { Known } from "./source.ts";
import { tomlTool } from "./toml-tool.ts";

export type TomlFile = {
  known: Known;
  notices: readonly Notice[];
};

export function tomlFile(
  path: string,
  { text, fault }: SeenFile,
  env: Record<string, string | undefined>,
): TomlFile {
  const about = { source: "file", from: path, error: "", hint: "" } as const;
  const broken = (notices: readonly Notice[]): TomlFile => {
    const gone = { message: `${path} leads nowhere`, hint: "" };
    const { message: error, hint } = notices[0] ?? gone;
    const name = basename(path, ".toml");
    const known = { ...about, state: "broken", name, description: "", error, hint } as const;
    return { known: { ...known, tool: null }, notices };
  };
  if (text === null) return broken(fault ? [fault] : []);
  try {
    const { tool, notices, unable } = tomlTool(path, text, env);
    const { name, description } = tool;
    const remarks = notices.map(({ message, hint }) => ({ message, hint }));
    const known = { ...about, state: "ready", name, description, tool, remarks, unable } as const;
    const fault = unable();
    return { known, notices: fault ? [...notices, fault] : notices };
  } catch (thrown) {
    // Whatever is wrong with one file must not hide the others.
    return broken([faultOf(path, thrown)]);
  }
}
