// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a server answered to a call, as text for the model and data for programs.
import { failure } from "../result.ts";
import { asRecord } from "../schema.ts";
import type { ToolOutcome } from "../tool.ts";

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** "[image, 12 kB]": the model learns that it is there. */
function mark(what: string, base64: unknown): string {
  const bytes = Math.floor((textOf(base64).length * 3) / 4);
  const size = bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
  return `[${what}, ${size}]`;
}

function partOf(part: unknown): string {
  const { type, text, data, uri, name, resource } = asRecord(part);
  switch (type) {
    case "text":
      return textOf(text);
    case "image":
    case "audio":
      return mark(type, data);
    case "resource_link":
      return [textOf(name), textOf(uri)].filter((word) => word !== "").join(": ");
    case "resource": {
      const held = asRecord(resource);
      const where = textOf(held.uri);
      if (typeof held.text === "string") return where ? `${where}:\n${held.text}` : held.text;
      return mark(where ? `file ${where}` : "file", held.blob);
    }
    default:
      return `[${textOf(type).slice(0, 40) || "something unknown"}]`;
  }
}

/** `server` is named when it failed without a word. */
export function outcomeOf(server: string, answer: Record<string, unknown>): ToolOutcome {
  const { content, structuredContent: data, isError } = answer;
  const parts = Array.isArray(content) ? content.map(partOf) : [];
  const text = parts.filter((part) => part !== "").join("\n");
  if (isError === true) {
    const words = text.replace(/^error:\s*/i, "").trim();
    return failure(words || `the server ${server} says that it failed, and not why`);
  }
  const written = text === "" && data !== undefined ? JSON.stringify(data) : text;
  return { ok: true, text: written, ...(data !== undefined && { data }) };
}
