// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Judges sources by the house rules: who may import whom, and what no file may hold.

import { isBuiltin } from "node:module";
import { basename, posix } from "node:path";
import type { Import, Source } from "./sources.ts";

/** What the files of one room may import, beside the leaves and their own room. */
export type Room = {
  rooms?: readonly string[];
  /** Rooms of which it may take types only. */
  types?: readonly string[];
  packages?: readonly string[];
  /** Built-in modules that belong to this room alone. */
  alone?: readonly string[];
};

export type House = {
  /** Files right below src/ that everyone may import; they import only each other. */
  leaves: readonly string[];
  rooms: Readonly<Record<string, Room>>;
  /** Single files that may import single files from elsewhere. */
  doors: Readonly<Record<string, readonly string[]>>;
  /** The file that joins rooms; the other files of its room take values of at most one of `joined`. */
  joiner: string;
  joined: readonly string[];
  /** Files that load what a person wrote, whose name nobody can know. */
  loaders?: readonly string[];
};

export type Fault = { path: string; line: number; reason: string };

const licence =
  "// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later";
const longest = 300;
const bannedNames = new Set(["utils", "util", "helpers", "helper", "common", "manager", "service"]);
bannedNames.add("base");
const computedLoads = ["require", "createRequire"];
const waits = ["setTimeout", "setInterval"];

/** The room of a source path: "" for a leaf, null outside src/. */
function roomOf(path: string): string | null {
  const [top, ...rest] = path.split("/");
  if (top !== "src") return null;
  return rest.length === 1 ? "" : (rest[0] ?? "");
}

const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

function judgeRelative(house: House, source: Source, target: string, types: boolean) {
  const from = roomOf(source.path);
  const to = roomOf(target);
  if (house.doors[source.path]?.includes(target)) return null;
  if (to === null) return `${target} is outside src/`;
  if (!target.endsWith(".ts")) return `${target} has no .ts at its end`;
  if (from === "") {
    return to === "" ? null : `a leaf imports only leaves, and ${target} is in the room "${to}"`;
  }
  if (from === to) return null;
  if (to === "") {
    return house.leaves.includes(target) ? null : `${target} is not one of the leaves`;
  }
  const room = from === null ? undefined : house.rooms[from];
  if (room?.rooms?.includes(to)) return null;
  if (room?.types?.includes(to)) {
    return types ? null : `the room "${from}" takes only types of "${to}" (import type)`;
  }
  return `the room "${from}" may not import "${to}"; hand what it needs in as an argument`;
}

function judgeImport(house: House, source: Source, found: Import): string | null {
  const { specifier, types } = found;
  if (specifier === null) {
    const loads = house.loaders?.includes(source.path);
    return loads ? null : "an import whose name is computed can't be checked";
  }
  if (specifier.startsWith(".")) {
    const target = posix.normalize(posix.join(posix.dirname(source.path), specifier));
    return judgeRelative(house, source, target, types);
  }
  const here = roomOf(source.path) ?? "";
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith("node:")) return `write node:${specifier}`;
    for (const [name, room] of Object.entries(house.rooms)) {
      if (name !== here && room.alone?.includes(specifier)) {
        return `only the room "${name}" imports ${specifier}`;
      }
    }
    return null;
  }
  const owned = house.rooms[here]?.packages ?? [];
  const name = packageOf(specifier);
  return owned.includes(name) ? null : `the package ${name} does not belong to the room "${here}"`;
}

/** Every import that the table of rooms does not allow. */
export function judgeImports(house: House, sources: readonly Source[]): Fault[] {
  const faults: Fault[] = [];
  for (const source of sources) {
    const room = roomOf(source.path);
    if (room === null) continue;
    const { path } = source;
    if (room === "" && !house.leaves.includes(path)) {
      faults.push({ path, line: 1, reason: "a file right below src/ that is not a leaf" });
    } else if (room !== "" && house.rooms[room] === undefined) {
      faults.push({ path, line: 1, reason: `"${room}" is no room of the table` });
    }
    const joins = new Set<string>();
    for (const found of source.imports) {
      const reason = judgeImport(house, source, found);
      if (reason !== null) faults.push({ path, line: found.line, reason });
      if (found.specifier?.startsWith(".") && !found.types) {
        const to = roomOf(posix.join(posix.dirname(path), found.specifier));
        if (to !== null && to !== room && house.joined.includes(to)) joins.add(to);
      }
    }
    if (room === roomOf(house.joiner) && path !== house.joiner && joins.size > 1) {
      const names = [...joins].join(" and ");
      faults.push({
        path,
        line: 1,
        reason: `only ${house.joiner} joins rooms, this joins ${names}`,
      });
    }
    for (const word of computedLoads) {
      for (const line of source.words.get(word) ?? []) {
        faults.push({ path, line, reason: `${word} gets round the table of rooms` });
      }
    }
  }
  return faults;
}

function judgeHead(source: Source): Fault[] {
  const { path, text } = source;
  const lines = text.split("\n");
  const start = lines[0]?.startsWith("#!") ? 1 : 0;
  const faults: Fault[] = [];
  if (lines[start] !== licence) {
    faults.push({ path, line: start + 1, reason: `the first line is not: ${licence}` });
  }
  if (!/^\/\/ \S.{10,}/.test(lines[start + 1] ?? "")) {
    faults.push({ path, line: start + 2, reason: "no line that says what the file is for" });
  }
  const length = lines.length - (text.endsWith("\n") ? 1 : 0);
  if (length > longest) {
    faults.push({
      path,
      line: longest + 1,
      reason: `${length} lines: what second thing moved in?`,
    });
  }
  return faults;
}

/** Every file that breaks a rule of form: head, length, names, escapes, sleeps. */
export function judgeForm(sources: readonly Source[]): Fault[] {
  const faults: Fault[] = [];
  for (const source of sources) {
    const { path } = source;
    const at = (lines: readonly number[], reason: string) =>
      faults.push(...lines.map((line) => ({ path, line, reason })));
    faults.push(...judgeHead(source));
    for (const part of path.split("/").flatMap((name) => basename(name, ".ts").split(/[-.]/))) {
      if (bannedNames.has(part)) at([1], `"${part}" names no subject`);
    }
    if (path.endsWith("/index.ts")) at([1], "a file is named after the thing inside");
    at(source.reexportsAll, "export * hides where a name comes from");
    at(source.emptyCatches, "an empty catch hides a fault");
    at(source.markedTests, "a test that is skipped, alone or to be done");
    if (!path.startsWith("test/")) continue;
    for (const word of waits)
      at(source.words.get(word) ?? [], `${word} is a sleep: wait on an event`);
    const timers = source.imports.filter((found) => /^(node:)?timers/.test(found.specifier ?? ""));
    at(
      timers.map((found) => found.line),
      "a timer is a sleep: wait on an event",
    );
  }
  return faults;
}

/** Every text, source or not, that holds what no file of the project may hold. */
export function judgeTexts(texts: readonly { path: string; text: string }[]): Fault[] {
  const banned: [RegExp, string][] = [
    [/\u2014/, "an em dash"],
    [/\/root\/|\/home\/[a-z]/, "a home path"],
    [/biome-[i]gnore|@ts-(ignore|nocheck|expect-error)/, "a lint or type escape"],
  ];
  return texts.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((content, index) =>
        banned
          .filter(([pattern]) => pattern.test(content))
          .map(([, reason]) => ({ path, line: index + 1, reason })),
      ),
  );
}
