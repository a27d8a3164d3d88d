// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools of a conversation: which stand in the prompt's list, and how the others are reached.
import { createHash } from "node:crypto";
import type { Notice, ToolSchema } from "../message.ts";
import { schemaOf } from "../tools/render.ts";
import type { WholeTool } from "../tools/tool.ts";
import { callTool, reachName } from "./call-tool.ts";
import type { Rooms } from "./rooms.ts";
import { Shortlist, type Shortlisted } from "./shortlist/shortlist.ts";
import { slimSchema } from "./slim.ts";
import type { Listing, OfferedTool } from "./strategies/strategy.ts";

/**
 * Bytes that tools may take in a prompt: the JSON of the list, and the shortlist where there is one.
 * Measured with the tokenizer and template of Qwen2.5-Coder: twelve ordinary tools 3,138 bytes and 1,026
 * tokens, with the built-in ones 4,070 and 1,299; 300 tools with this budget, the usual system message
 * and a question 1,788 tokens at most, where the whole list would have 158,105.
 */
const room = 5400;
/** Of them for a shortlist, kept free only when the list cannot hold all tools. */
const shortlistRoom = 1400;

export type Offer = {
  /** Everything that was there when the conversation took its tools. */
  all: readonly WholeTool[];
  /** As the prompt lists them: the same for a whole conversation. */
  listed: readonly ToolSchema[];
  /** All that a model may call, those too that are not in the list. */
  tools: readonly OfferedTool[];
  /** The tool that calls another by name. */
  reach: string;
  /** Those beyond the list that fit a question, and the text after it that tells of them. */
  more(question: string, earlier: readonly string[]): Shortlisted<OfferedTool>;
};

type Needs = Pick<Rooms, "config" | "notice" | "told"> & {
  tools: Pick<Rooms["tools"], "list" | "fault">;
};

const listedAs = (tool: WholeTool): ToolSchema => {
  const { name, description, parameters } = schemaOf(tool);
  return { name, description, parameters: slimSchema(parameters) };
};

/** Bytes in the list, with what stands around it there. */
const bytesOf = (schema: ToolSchema, { entry }: Listing) => Buffer.byteLength(entry(schema)) + 1;

/**
 * The tools that stand in the list: all when they find room, else those in front that leave some for the
 * shortlist. The first that does not fit ends the list, so that a person can tell by the order what is
 * in it.
 */
function inFront(tools: readonly WholeTool[], reach: string, listing: Listing): ToolSchema[] {
  const some: ToolSchema[] = [];
  let whole = 0;
  let few = 0;
  const reaching = listing.as === "array" ? bytesOf(callTool(reach), listing) : 0;
  const fewRoom = room - shortlistRoom - reaching;
  for (const tool of tools) {
    const schema = listedAs(tool);
    whole += bytesOf(schema, listing);
    if (whole > room) return some.slice(0, few);
    some.push(schema);
    if (whole <= fewRoom) few = some.length;
  }
  return some;
}

/** The tools that a conversation would take now. */
export const toolsOf = ({ tools, config }: Pick<Needs, "tools" | "config">) =>
  config.toolRounds === 0 ? [] : tools.list();

/** As lines a small model reads them, and it calls whatever it sees: what is seldom meant stands apart. */
const standing = (all: readonly WholeTool[], listing: Listing) =>
  listing.as === "array" ? all : all.filter((tool) => !tool.made.occasional);

const reachOf = (all: readonly WholeTool[]) =>
  reachName((name) => all.some((tool) => tool.name === name));

/** How many tools the list of a new conversation would hold. */
export function countListed(rooms: Pick<Needs, "tools" | "config">, listing: Listing): number {
  const all = toolsOf(rooms);
  return inFront(standing(all, listing), reachOf(all), listing).length;
}

/**
 * What a new conversation is offered, or one that took `all` at its first question and is now listed
 * otherwise; a list that leaves some out is told once.
 */
export function takeOffer(
  rooms: Needs,
  listing: Listing,
  all: readonly WholeTool[] = toolsOf(rooms),
): Offer {
  const reach = reachOf(all);
  const some = standing(all, listing);
  const front = inFront(some, reach, listing);
  const offered = (tool: WholeTool): OfferedTool => ({
    ...schemaOf(tool),
    effect: tool.effect,
    untrusted: tool.untrusted,
    fault: (args) => rooms.tools.fault(tool.name, args),
  });
  const tools = all.map(offered);
  if (front.length === all.length)
    return { all, listed: front, tools, reach, more: () => ({ tools: [], text: "" }) };

  const byName = listing.as === "array";
  if (front.length < some.length) {
    const key = createHash("sha256").update(some.map((tool) => tool.name).join("\n"));
    const how = byName ? ` and reached by ${reach}` : "";
    tell(rooms, key.digest("hex"), budgetNotice(front.length, some.length, how));
  }
  const shortlist = new Shortlist(some.slice(front.length).map(offered), {
    reach: byName ? reach : null,
    room: shortlistRoom,
    occasional: all.filter((tool) => !some.includes(tool)).map(offered),
  });
  const more = (question: string, earlier: readonly string[]) => shortlist.find(question, earlier);
  if (!byName) return { all, listed: front, tools, reach, more };
  const calls: OfferedTool = {
    ...callTool(reach),
    effect: "read",
    untrusted: false,
    fault: () => null,
    reach: true,
  };
  return { all, listed: [...front, callTool(reach)], tools: [...tools, calls], reach, more };
}

const budgetNotice = (listed: number, all: number, how: string): Notice => ({
  code: "tools_budget",
  message: `the model's list holds ${listed} of ${all} tools; the other ${all - listed} are found by the words of a question${how}`,
  hint: "With fewer tools all of them are listed: leave out those that you do not use.",
});

function tell({ told, notice }: Pick<Needs, "told" | "notice">, key: string, what: Notice): void {
  if (told.has(key)) return;
  told.add(key);
  notice(what);
}
