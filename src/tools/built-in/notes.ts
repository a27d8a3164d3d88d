// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The built-in tool that reads the person's notes file, its newest lines first of all.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { systemCode, systemReason } from "../../errors.ts";
import { plain } from "../plain.ts";
import { failure } from "../result.ts";
import type { Tool, ToolOutcome } from "../tool.ts";

/** Bytes at the file's end that are looked at. */
const mostRead = 4 * 1024 * 1024;
/** Characters; the result's own limit is 2,000, and a word about what is left out has to fit too. */
const mostShown = 1900;

export function notes(): Tool {
  let path: string | null = null;
  return {
    name: "notes",
    description: "Reads this person's own notes. Only for questions about what they noted.",
    occasional: true,
    parameters: {
      query: { type: "string", maxLength: 200, description: "only lines with these words" },
    },
    personal: true,
    // A line may have been noted, with the person's yes, from what others wrote.
    untrusted: true,
    bindContext(context) {
      path = context.archivePath;
    },
    async call({ query }, { signal }) {
      if (path === null) return failure("the notes are not there yet");
      const text = await readEnd(path, signal);
      if (typeof text !== "string") return text;
      return answer(text, typeof query === "string" ? query : "");
    },
  };
}

function answer(text: string, query: string): ToolOutcome {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const fitting = lines.filter((line) => words.every((word) => plain(line).includes(word)));
  if (lines.length === 0) return { ok: true, data: [], text: "there are no notes yet" };
  if (fitting.length === 0) return { ok: true, data: [], text: `no note has: ${query.trim()}` };
  const shown = newest(fitting);
  const left = fitting.length - shown.length;
  const mark = left === 0 ? "" : `[${left} older ${left === 1 ? "line" : "lines"} left out]\n`;
  return { ok: true, data: shown, text: mark + shown.join("\n") };
}

/** The last lines that find room, oldest of them first; the newest is there whatever its length. */
function newest(lines: readonly string[]): string[] {
  let room = mostShown;
  let from = lines.length;
  while (from > 0) {
    room -= [...(lines[from - 1] ?? "")].length + 1;
    if (room < 0 && from < lines.length) break;
    from -= 1;
  }
  return lines.slice(from);
}

/** The file's text, "" when there is none; of a very large one whole lines of its end. */
async function readEnd(path: string, signal: AbortSignal): Promise<string | ToolOutcome> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const seen = await file.stat();
    if (!seen.isFile()) return failure(`${path} is no file`);
    const { size } = seen;
    const from = Math.max(0, size - mostRead);
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    signal.throwIfAborted();
    const text = buffer.toString("utf8", 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOENT") return "";
    if (code === "") throw thrown;
    return failure(`${path} cannot be read: ${systemReason(code) ?? code}`);
  } finally {
    await file?.close();
  }
}
