// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The built-in tool that adds a line to the person's notes file, on disk when it says so.
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode, systemReason } from "../../errors.ts";
import { isoDay } from "../day.ts";
import { failure } from "../result.ts";
import type { Tool, ToolOutcome } from "../tool.ts";

/** As much as `notes` can show at once. */
const longest = 1800;
/** What ends a line somewhere, and what a terminal would obey. */
const controls = /[\p{Cc}\u2028\u2029]+/gu;

export function note(): Tool {
  let path: string | null = null;
  return {
    name: "note",
    description: "Adds a line to this person's own notes. Only when asked to note something.",
    occasional: true,
    parameters: {
      text: { type: "string", required: true, maxLength: longest, description: "what to note" },
    },
    effect: "change",
    bindContext(context) {
      path = context.archivePath;
    },
    async call({ text }) {
      const said = typeof text === "string" ? text.replaceAll(controls, " ").trim() : "";
      if (said === "") return failure("text is empty");
      if (path === null) return failure("the notes are not there yet");
      const line = `- ${isoDay(new Date())} ${said.toWellFormed()}`;
      return await append(path, line);
    },
  };
}

/** One write at the end of the file, so that nothing which is there is ever touched. */
async function append(path: string, line: string): Promise<ToolOutcome> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  let file: FileHandle | null = null;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    const seen = await file.stat();
    if (!seen.isFile()) return failure(`${path} is no file`);
    const bytes = Buffer.from(`${await gap(file, seen.size)}${line}\n`);
    const { bytesWritten } = await file.write(bytes);
    await file.sync();
    if (bytesWritten < bytes.length) return failure("the disk is full: the note was cut");
    // A new name is on disk only when its folder is.
    if (seen.size === 0) await syncFolder(dirname(path));
    return { ok: true, data: line, text: `noted: ${line.slice(2)}` };
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "") throw thrown;
    return failure(`${path} cannot be written: ${systemReason(code) ?? code}`);
  } finally {
    await file?.close();
  }
}

/** A line end, when somebody's editor has left the last line without one. */
async function gap(file: FileHandle, size: number): Promise<string> {
  if (size === 0) return "";
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.toString() === "\n" ? "" : "\n";
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
