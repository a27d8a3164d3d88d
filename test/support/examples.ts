// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reads the examples of docs/protocol.md and compares what the daemon sent with what they show.

/** `script` is the word after the language of the block, or "". */
export type Example = {
  title: string;
  line: number;
  script: string;
  steps: { send: boolean; text: string; line: number }[];
};

const anything = "…";

/** Every block of the language jsonl; its title is the heading above it and its number below that. */
export function readExamples(markdown: string): Example[] {
  const examples: Example[] = [];
  let heading = "";
  let open: Example | null = null;
  for (const [index, text] of markdown.split("\n").entries()) {
    const line = index + 1;
    if (open === null) {
      heading = /^#+ (.*)$/.exec(text)?.[1] ?? heading;
      const [, script] = /^```jsonl ?(.*)$/.exec(text) ?? [];
      if (script !== undefined) open = { title: heading, line, script, steps: [] };
    } else if (text === "```") {
      examples.push(open);
      open = null;
    } else {
      const [, mark, rest = ""] = /^([<>]) (.+)$/.exec(text) ?? [];
      if (mark === undefined) throw new Error(`line ${line} begins with neither > nor <`);
      open.steps.push({ send: mark === ">", text: rest, line });
    }
  }
  return examples;
}

/** The value with everything replaced that the example leaves open, to be compared as text. */
function opened(value: unknown, shown: unknown): unknown {
  if (shown === anything) return anything;
  if (Array.isArray(value) && Array.isArray(shown)) {
    return value.map((item: unknown, index) => opened(item, shown[index]));
  }
  if (typeof value !== "object" || value === null) return value;
  if (typeof shown !== "object" || shown === null) return value;
  const wanted = new Map<string, unknown>(Object.entries(shown));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, opened(field, wanted.get(name))]),
  );
}

/** Both as text, fields in their order: equal when the line is as the example shows it. */
export function compared(received: string, shown: string): { received: string; shown: string } {
  const wanted: unknown = JSON.parse(shown);
  return {
    received: JSON.stringify(opened(JSON.parse(received), wanted)),
    shown: JSON.stringify(wanted),
  };
}
