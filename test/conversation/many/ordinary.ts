// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Twelve tools as a person's folder has them, and the three that are built in.
import type { ShortParams } from "../../../src/tools/schema.ts";
import type { Effect, Tool } from "../../../src/tools/tool.ts";

const tool = (
  name: string,
  description: string,
  parameters: ShortParams = {},
  effect: Effect = "read",
): Tool => ({
  name,
  description,
  parameters,
  effect,
  call: async () => ({ ok: true, text: `${name} was called` }),
});

export const ordinary: readonly Tool[] = [
  tool("now", "The current date, time and week day"),
  tool(
    "search",
    "Search the web: news, facts, prices, anything that may have changed",
    { query: { required: true, description: "the words to search for" } },
    "send",
  ),
  tool("calendar", "Appointments of the person's own calendar in a range of days", {
    start: { type: "date", description: "first day; empty for today" },
    days: { type: "integer", minimum: 1, maximum: 60, description: "how many days; empty for 1" },
  }),
  tool(
    "weather",
    "The weather at home or elsewhere, now or as a forecast",
    {
      place: { description: "a town; empty for home" },
      when: { enum: ["now", "today", "tomorrow"], description: "empty for now" },
    },
    "send",
  ),
  tool("calc", "Calculate an expression: arithmetic, units, currencies, dates", {
    expression: {
      required: true,
      maxLength: 500,
      description: "such as 15% * 80, 5 km to mi, 20 °C to °F, 10 EUR to USD, today + 3 days",
    },
  }),
  tool("mail", "Finds threads in the person's mail", {
    query: { description: "words, a sender, a subject; empty for unread mail" },
  }),
  tool("playing", "What music is playing: title, artist, album, how far it is"),
  tool("finance", "The person's own money: balances, budgets, spending", {
    what: { required: true, enum: ["balances", "budgets", "spending"] },
    month: { type: "month", description: "empty for this month" },
  }),
  tool("bluetooth", "Bluetooth: is it on, connected devices with their battery, paired devices"),
  tool("vms", "Virtual machines on this computer and their state", {
    name: { description: "one machine; empty for all" },
  }),
  tool("updates", "Software updates that wait: counts, security fixes, the kernel", {
    package: { description: "one package; empty for all" },
  }),
  tool(
    "recap",
    "Opens the long recap of what changed in the system's packages in an editor",
    { days: { type: "integer", minimum: 1, maximum: 365, description: "how far back" } },
    "change",
  ),
];

export const builtIn: readonly Tool[] = [
  tool(
    "history_search",
    "Finds what was said in earlier conversations with this person. Only for questions about them.",
    {
      query: { required: true, maxLength: 100, description: "one or two words that were said" },
      limit: { type: "integer", minimum: 1, maximum: 20, default: 5 },
    },
  ),
  tool(
    "note",
    "Adds a line to this person's own notes. Only when asked to note something.",
    { text: { required: true, maxLength: 1000, description: "what to note" } },
    "change",
  ),
  tool("notes", "Reads this person's own notes. Only for questions about what they noted.", {
    query: { maxLength: 200, description: "only lines with these words" },
  }),
];
