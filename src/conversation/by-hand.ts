// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool that a person runs without a model: the same checks, the same question before a change.
import type { Call } from "../tools/registry.ts";
import { failure, resultOf } from "../tools/result.ts";
import type { Arguments } from "../tools/schema.ts";
import type { ToolResult } from "../tools/tool.ts";
import { type Approve, refusalText, whyAsk } from "./policy.ts";
import type { Rooms } from "./rooms.ts";
import { Taint } from "./taint.ts";

/** By hand nothing was read before, so only what a tool asks for each time is asked. */
const nothingRead = new Taint([], { user: "", reply: "", calls: [] }, () => null);

type Options = { approve: Approve; signal: AbortSignal };

/** The id of such a call, which has no turn. */
const call = "run";

/** Resolves with what a model would read, also for every fault; rejects only with the signal's reason. */
export async function runByHand(
  tools: Rooms["tools"],
  name: string,
  args: Arguments | string,
  options: Options,
): Promise<ToolResult> {
  await tools.settled(options);
  const taken = tools.take(name, args);
  if ("fault" in taken) return taken.fault;
  return (await refused(taken.call, options)) ?? tools.run(taken.call, options);
}

async function refused(
  { tool, args, argv }: Call,
  { approve, signal }: Options,
): Promise<ToolResult | null> {
  const why = whyAsk({ tool, args }, () => nothingRead);
  if (why === null) return null;
  const exact = argv ? { argv } : { arguments: args };
  const verdict = await approve({ call, name: tool.name, ...exact, why }, signal);
  return verdict.allow ? null : resultOf(failure(refusalText(tool.name, verdict)), 0);
}
