// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The built-in tool that finds what was said in earlier conversations.
import type { FoundConversation, ToolContext } from "../context.ts";
import { isoDay } from "../day.ts";
import { failure } from "../result.ts";
import type { Tool } from "../tool.ts";

/** More would not be read well by a small model. */
const mostShown = 8;
const mostWords = 8;
const wholeWord = /[\p{L}\p{N}]{3,}/gu;

export function historySearch(): Tool {
  let history: ToolContext["history"] | null = null;
  return {
    name: "history_search",
    description:
      "Finds what was said in earlier conversations with this person. Only for questions about those.",
    occasional: true,
    parameters: {
      query: {
        type: "string",
        required: true,
        maxLength: 200,
        description: "one or two words that were said there",
      },
    },
    personal: true,
    // What tools had read there may stand in the answers.
    untrusted: true,
    bindContext(context) {
      history = context.history;
    },
    async call({ query }) {
      if (typeof query !== "string" || query.trim() === "") return failure("query is empty");
      if (!history) return failure("the history is not there yet");
      const found = await search(history, query.trim());
      const text = found.map(lineOf).join("\n") || `no earlier conversation has: ${query.trim()}`;
      return { ok: true, data: found, text, meta: { hits: found.length } };
    },
  };
}

const lineOf = ({ title, snippet, at }: FoundConversation) =>
  `${isoDay(new Date(at * 1000))} ${title}: ${snippet}`;

/** The words as they stand; when nobody said them so, the conversations with most of them. */
async function search(
  history: ToolContext["history"],
  query: string,
): Promise<readonly FoundConversation[]> {
  const whole = await history.search(query, { limit: mostShown });
  const words = [...new Set(query.toLowerCase().match(wholeWord))].slice(0, mostWords);
  if (whole.length > 0 || words.length < 2) return whole;
  const hits = new Map<number, { found: FoundConversation; count: number }>();
  for (const word of words) {
    for (const found of await history.search(word)) {
      const hit = hits.get(found.id);
      if (hit) hit.count += 1;
      else hits.set(found.id, { found, count: 1 });
    }
  }
  const best = [...hits.values()].sort((one, other) => other.count - one.count);
  return best.slice(0, mostShown).map(({ found }) => found);
}
