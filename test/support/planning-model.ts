// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted model that plans: a choice where a schema forces one, an answer everywhere else.
import type { TestContext } from "node:test";
import { type Line, startDaemon, type TestClient } from "./daemon.ts";
import type { ChatRequest, ReplyWriter, Script } from "./model-server.ts";
import { start, withoutBuiltIn } from "./started.ts";

/** Text, or its deltas, or a whole reply of one's own. */
export type Said = string | readonly string[] | Script;

/** A schema of tools, and not the one that an answer is mended by. */
export const isPick = ({ json }: ChatRequest) => {
  const forced = JSON.stringify(json.response_format ?? json.grammar ?? "");
  return forced.includes("tool");
};

export const pick = (tool: string, args?: Record<string, unknown>) =>
  JSON.stringify(args ? { tool, arguments: args } : { tool });
export const none = pick("none");

/** The picks and the answers in their order; when they are used up: none, and "Fine.". `count`: as it tells usage. */
export function planningModel(
  picks: readonly Said[] = [],
  answers: readonly Said[] = [],
  count: (reply: ReplyWriter, request: ChatRequest) => void = (reply) => reply.usage(100, 5, 50),
): Script {
  const left = { picks: [...picks], answers: [...answers] };
  return (reply, request, at) => {
    const said = isPick(request) ? (left.picks.shift() ?? none) : (left.answers.shift() ?? "Fine.");
    if (typeof said === "function") return said(reply, request, at);
    const deltas = typeof said === "string" ? [said] : said;
    count(reply.text(...deltas).finish(), request);
    reply.done();
  };
}

const reading = (name: string) =>
  `description = "Tells the ${name}."\ncommand = ["printf", "%s", "the ${name} of {of}"]\n[params.of]\nrequired = true\ndescription = "of what"\n`;

export const planTools = {
  "size.toml": reading("size"),
  "age.toml": reading("age"),
  "clock.toml": 'description = "Tells the time."\ncommand = ["printf", "ten past nine"]\n',
  "broken.toml":
    'description = "Looks."\ncommand = ["sh", "-c", "echo no luck >&2; exit 3"]\n[params.at]\n',
};

/** A daemon whose model plans, behind a server that is no llama-server, and a client. */
export async function planning(
  t: TestContext,
  options: {
    picks?: readonly Said[];
    answers?: readonly Said[];
    script?: Script;
    /** Its tools_mode. */
    mode?: string;
    config?: string;
    tools?: Record<string, string>;
    props?: Record<string, unknown> | null;
    models?: Record<string, unknown>[];
  } = {},
) {
  const { picks, answers, tools = planTools, mode = "plan", config = "", props = null } = options;
  const models = options.models ?? [{ id: "scripted", object: "model" }];
  const settings = (way: string) =>
    `tools_mode = "${way}"\nwarm = false\ntitles = false\n${config}${withoutBuiltIn}`;
  const script = options.script ?? planningModel(picks, answers);
  const started = await start({ script, tools, props, models, config: settings(mode) });
  t.after(started.end);
  const { model, home } = started;
  let { daemon } = started;
  let client: TestClient = await daemon.connect();
  const greet = () => client.ask({ type: "features", names: ["confirm", "queue", "notice"] });
  await greet();
  return {
    ...started,
    client: () => client,
    say: (nextPicks: readonly Said[], nextAnswers: readonly Said[] = []) =>
      model.setScript(planningModel(nextPicks, nextAnswers)),
    async ask(text: string, more: Record<string, unknown> = {}): Promise<Line[]> {
      client.send({ type: "ask", text, ...more });
      return await client.turn();
    },
    /** The daemon ends, and another begins on the same folders. */
    async restart(way = mode): Promise<void> {
      await daemon.stop();
      home.config(`llm = "${model.url}"\n${settings(way)}`);
      daemon = await startDaemon(home);
      const running = daemon;
      t.after(() => running.stop());
      client = await daemon.connect();
      await greet();
    },
    connect: () => daemon.connect(),
  };
}

export const tokens = (lines: readonly Line[]) =>
  lines.flatMap(({ type, delta }) => (type === "token" ? [String(delta)] : []));
export const reply = (lines: readonly Line[]) => tokens(lines).join("");
/** What happened in a turn, in short. */
export const events = (lines: readonly Line[]) =>
  lines
    .filter(({ type }) => !["ctx", "conversation", "notice"].includes(type))
    .map(({ type, state, done }) =>
      type === "state" ? `state ${state}` : type === "tool" ? `tool ${done}` : type,
    );
export const result = (lines: readonly Line[]) =>
  lines.find(({ type, done }) => type === "tool" && done === true);

const marker = '"messages":[';
/** The bytes of a request's messages, without the bracket that ends them. */
export function messageBytes({ body, json }: ChatRequest): string {
  const from = body.indexOf(marker) + marker.length;
  const { length } = json.messages.map((one) => JSON.stringify(one)).join(",");
  return body.slice(from, from + length);
}
