// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools that need no file: searching earlier conversations, reading notes and adding one.
import type { Notice } from "../../message.ts";
import type { Known, Source } from "../source.ts";
import type { Tool } from "../tool.ts";
import { historySearch } from "./history-search.ts";
import { note } from "./note.ts";
import { notes } from "./notes.ts";
import { type PluginTables, settingsOf } from "./settings.ts";

/** The built-in tools as the person's config.toml wants them. */
export class BuiltIn implements Source {
  readonly #known: readonly Known[];

  /** Settings that cannot be understood are told by `onNotice`. */
  constructor({
    plugins,
    onNotice,
  }: {
    plugins: PluginTables;
    onNotice: (notice: Notice) => void;
  }) {
    this.#known = [historySearch(), notes(), note()].map((tool) => {
      const { enabled, confirm } = settingsOf(tool.name, plugins, onNotice);
      return enabled ? ready({ ...tool, confirm }) : leftOut(tool);
    });
  }

  known(): readonly Known[] {
    return this.#known;
  }
  check(): Promise<void> {
    return Promise.resolve();
  }
  settled(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const about = ({ name, description }: Tool) =>
  ({ name, description, source: "built-in", from: "" }) as const;

const ready = (tool: Tool): Known => ({
  ...about(tool),
  state: "ready",
  error: "",
  hint: "",
  tool,
});

const leftOut = (tool: Tool): Known => ({
  ...about(tool),
  state: "off",
  error: "it is left out by config.toml",
  hint: `Below [plugins.${tool.name}] write: enabled = true`,
  tool: null,
});
