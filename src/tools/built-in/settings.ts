// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the person's config.toml says of a built-in tool: left out or not, and whether it asks.
import type { Notice } from "../../message.ts";
import { nearest } from "../../toml/nearest.ts";
import type { Confirm } from "../tool.ts";

/** The [plugins.*] tables by name. */
export type PluginTables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const keys = ["enabled", "confirm"];
const confirms: readonly Confirm[] = ["auto", "always", "never"];

/** A setting that cannot be understood is told, and counts as the more careful one. */
export function settingsOf(
  name: string,
  plugins: PluginTables,
  onNotice: (notice: Notice) => void,
): { enabled: boolean; confirm: Confirm } {
  const table = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
  const { enabled = true, confirm = "auto" } = table ?? {};
  const tell = (key: string, what: string, hint: string) =>
    onNotice({ code: "plugins", message: `config.toml: plugins.${name}.${key} ${what}`, hint });
  for (const key of Object.keys(table ?? {})) {
    if (keys.includes(key)) continue;
    const near = nearest(key, keys);
    const hint = near === null ? `Known here: ${keys.join(", ")}.` : `Did you mean ${near}?`;
    tell(key, "is no known key and counts for nothing", hint);
  }
  if (typeof enabled !== "boolean") {
    const hint = "Until it is mended, the tool is left out.";
    tell("enabled", `must be true or false, and is ${JSON.stringify(enabled)}`, hint);
  }
  const chosen = confirms.find((one) => one === confirm);
  if (chosen === undefined) {
    const hint = "Until it is mended, the tool asks before each call.";
    const what = `must be "auto", "always" or "never", and is ${JSON.stringify(confirm)}`;
    tell("confirm", what, hint);
  }
  return { enabled: enabled === true, confirm: chosen ?? "always" };
}
