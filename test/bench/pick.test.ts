// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A whole run of the tools benchmark against a scripted model: known right and wrong answers give exactly these counts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as read } from "node:stream/consumers";
import { test } from "node:test";
import { readAnswers, readCases } from "../../bench/pick/cases.ts";
import { figures, reportLines, wrongLine } from "../../bench/pick/report.ts";
import { run } from "../../bench/pick/run.ts";
import type { ToolSchema } from "../../src/message.ts";
import { type Script, startModelServer } from "../support/model-server.ts";

const text = (name: string) => ({ [name]: { type: "string" } });
const tools: ToolSchema[] = [
  { name: "now", description: "The time", parameters: { type: "object", properties: {} } },
  {
    name: "weather",
    description: "The weather",
    parameters: { type: "object", properties: text("place") },
  },
];

/** What the model does with a question; a text is an answer. */
const does: Record<string, { name: string; args: Record<string, unknown> } | string> = {
  "What time is it?": { name: "now", args: {} },
  "Che ore sono?": "Non so.",
  "Weather in Bergen?": { name: "weather", args: { place: "Bergen" } },
  "Weather in Oslo?": { name: "weather", args: { place: "Bergen" } },
  "Tell me a joke": { name: "now", args: {} },
  "Thank you": "You are welcome.",
  "Che ore sono adesso?": "I do not know what time it is where you are.",
};

/** The day and the hour stand before the newest question. */
const bareQuestion = (content: string) => content.replace(/^\[[^\]]*\] /, "").split("\n")[0] ?? "";

/** Calls as `does` says, by tool calls or in a forced reply; after a result it says that. */
const script: Script = (reply, { json }) => {
  const last = json.messages.at(-1);
  const asked = json.messages.findLast(
    ({ role, content }) => role === "user" && bareQuestion(content) in does,
  );
  const planned = does[bareQuestion(asked?.content ?? "")] ?? "?";
  const pick =
    typeof planned === "string"
      ? { tool: "none" }
      : { tool: planned.name, arguments: planned.args };
  const timings = { prompt_n: 9, cache_n: 100, predicted_n: 4 };
  if (json.stream !== true) {
    const content = json.response_format ? JSON.stringify(pick) : "Here it is.";
    return reply.status(200, { choices: [{ message: { role: "assistant", content } }], timings });
  }
  const [, told] = /^Result of \w+: ([^\n]*)/.exec(last?.content ?? "") ?? [];
  const result = last?.role === "tool" ? last.content : told;
  if (json.response_format || json.grammar) reply.text(JSON.stringify(pick));
  else if (result !== undefined) reply.text(`It says: ${result}`);
  else if (typeof planned === "string") reply.text(planned);
  else reply.call(planned.name, planned.args);
  reply.finish();
  reply.data({ choices: [], usage: { prompt_tokens: 109, completion_tokens: 4 }, timings }).done();
};

const startModel = () =>
  startModelServer({
    script,
    // One token a word.
    handle: (request, response) => {
      if (request.url !== "/tokenize") return false;
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk;
      });
      request.on("end", () => {
        const { content } = JSON.parse(body);
        response.end(JSON.stringify({ tokens: content.trim().split(/\s+/) }));
      });
      return true;
    },
  });

const options = { tools, results: {}, per: 4, pause: 0 };
const modes = ["native", "plan"] as const;

const lines = [
  "What time is it?\tnow\t{}\ten",
  "Che ore sono?\tnow\t{}\tit",
  'Weather in Bergen?\tweather\t{"place": "/bergen/i"}\ten',
  'Weather in Oslo?\tweather\t{"place": "Oslo"}\ten',
  "Tell me a joke\tnone\t{}\ten",
  "Thank you\tnone\t{}\ten",
].join("\n");

for (const mode of modes) {
  test(`tools and arguments are counted through the daemon and beside it: ${mode}`, async () => {
    await using model = await startModel();
    const place = { url: model.url, apiKey: null, close: async () => undefined };
    const all = await run({ ...options, mode, place, cases: readCases(lines), bare: true });
    for (const results of [all.ours, all.bare]) {
      const counted = figures(results);
      assert.deepEqual(counted.tool, { right: 4, of: 6 });
      assert.deepEqual(counted.arguments, { right: 3, of: 4 });
      assert.deepEqual(counted.byTool, {
        now: { right: 1, of: 2 },
        weather: { right: 2, of: 2 },
        none: { right: 1, of: 2 },
      });
      assert.deepEqual(counted.byLanguage, { en: { right: 4, of: 5 }, it: { right: 0, of: 1 } });
      assert.deepEqual(counted.read, { median: 9, most: 9 });
      assert.equal(counted.errors, 0);
      assert.equal(counted.answers, null);
      assert.ok((counted.ms.median ?? 0) > 0);
    }
    if (mode === "native")
      assert.deepEqual(all.ours.map(wrongLine), [
        null,
        "  Che ore sono? -> called none {}, wanted now",
        null,
        '  Weather in Oslo? -> place is "Bergen", wanted "Oslo"',
        "  Tell me a joke -> called now {}, wanted none",
        null,
      ]);
    // Of the first one nobody knows what the server held; then what follows the request before is new.
    const [first, second] = all.ours;
    assert.equal(first?.fresh, null);
    assert.ok((second?.fresh ?? 0) > 0 && (second?.fresh ?? 0) < 60, `${second?.fresh}`);
    assert.match(
      reportLines(all).join("\n"),
      /ours: tool right 4\/6 = 66.7 %.*\n(.*\n)+.*ours \/ bare: \d/,
    );
  });
}

test("every conversation begins anew, and the clock is the one that was set", async () => {
  await using model = await startModel();
  const place = { url: model.url, apiKey: null, close: async () => undefined };
  await run({
    ...options,
    mode: "native",
    place,
    cases: readCases(lines).slice(0, 5),
    bare: false,
  });
  const questions = model.chats.filter(({ json }) => json.messages.at(-1)?.role === "user");
  const before = questions.map(
    ({ json }) => json.messages.filter(({ role }) => role === "user").length,
  );
  assert.deepEqual(before, [1, 2, 3, 4, 1]);
  assert.match(JSON.stringify(questions[0]?.json.messages), /Monday 2026-11-30/);
  const offered = questions[0]?.json.tools?.map((one) => one.function.name);
  assert.deepEqual(offered, ["now", "weather"]);
});

for (const mode of modes) {
  test(`an answer counts when it says what the right tool returned: ${mode}`, async () => {
    await using model = await startModel();
    const place = { url: model.url, apiKey: null, close: async () => undefined };
    const cases = readAnswers(
      JSON.stringify([
        { question: "What time is it?", tool: "now", result: "10:45", needs: ["/10.45/"] },
        {
          question: "Weather in Bergen?",
          tool: "weather",
          result: "rain",
          needs: ["rain", "/snow/"],
        },
        { question: "Che ore sono adesso?", tool: "now", result: "10:45", needs: ["/non/i"] },
      ]),
    );
    const { ours } = await run({ ...options, mode, place, cases, bare: false });
    assert.deepEqual(figures(ours).answers, {
      right: { right: 1, of: 3 },
      otherTool: 1,
      json: 0,
      otherLanguage: 1,
    });
    assert.equal(ours[0]?.answer, "It says: 10:45");
    assert.match(
      wrongLine(ours[1] ?? assert.fail()) ?? "",
      /answered "It says: rain", wanted \/snow\//,
    );
  });
}

test("an interrupt from the terminal, which all its processes get, ends a run with its figures", async () => {
  await using model = await startModel();
  const folder = mkdtempSync(join(tmpdir(), "da-bench-"));
  const [cases, offered] = [join(folder, "cases.tsv"), join(folder, "tools.json")];
  writeFileSync(cases, lines);
  writeFileSync(offered, JSON.stringify(tools));
  const core = join(import.meta.dirname, "../../bench/pick/core.ts");
  const given = ["--cases", cases, "--tools", offered, "--llm", model.url, "--mode", "plan"];
  const child = spawn(process.execPath, [core, ...given], {
    detached: true,
    env: { ...process.env, TMPDIR: folder, NODE_TEST_CONTEXT: undefined },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  model.setScript((reply, request, count) => {
    if (count === 3) process.kill(-(child.pid ?? 0), "SIGINT");
    return script(reply, request, count);
  });
  const printed = await read(child.stdout ?? assert.fail());
  assert.deepEqual(await exited, [0, null]);
  assert.match(printed, /ours: tool right 1\/2 =/);
  assert.doesNotMatch(printed, /error/);
  rmSync(folder, { recursive: true });
});
