// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call that needs a person's yes, at the socket: who is asked, who may answer, and what runs then.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import { answer, askWipe, idle, wiping } from "../support/wiping.ts";
import { answering } from "../support/yes-and-no.ts";

const about = (lines: readonly Line[]) =>
  lines.flatMap(({ type, done, state, allow }) =>
    type === "tool"
      ? [`tool ${done}`]
      : type === "state"
        ? [`state ${state}`]
        : type === "confirmed"
          ? [`confirmed ${allow}`]
          : type === "confirm" || type === "done"
            ? [type]
            : [],
  );
const around = (asked: string) => [
  "state thinking",
  "tool false",
  "state tool",
  "confirm",
  asked,
  "tool true",
  "state thinking",
  "done",
  "state idle",
];

test("a yes runs exactly the argv that was asked about, once, in the order of the protocol", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  const before = Math.floor(Date.now() / 1000);
  const lines = await answering(client, askWipe.text, true);
  assert.deepEqual(about(lines), around("confirmed true"));
  const asked = lines.find(({ type }) => type === "confirm");
  const script = "printf '%s|' \"$@\" >> trace";
  assert.deepEqual(asked?.argv, ["sh", "-c", script, "sh", "all", "--", "-f"]);
  assert.deepEqual(
    [asked?.name, asked?.why, asked?.arguments],
    ["wipe", "it may change something", undefined],
  );
  const ahead = Number(asked?.expires) - before;
  assert.ok(ahead >= 119 && ahead <= 121, String(ahead));
  assert.equal(ran(), "all|--|-f|");
  const again = await client.ask(answer(asked ?? { type: "" }, true));
  assert.deepEqual([again.type, again.code], ["error", "not_open"]);
  assert.equal(ran(), "all|--|-f|");
});

test("a no runs nothing, and the model reads that the person said it", async (t) => {
  const { client: connect, ran, read } = await wiping(t);
  const lines = await answering(await connect("confirm"), askWipe.text, false);
  assert.deepEqual(about(lines), around("confirmed false"));
  assert.equal(lines.find(({ type, done }) => type === "tool" && done === true)?.ok, false);
  assert.match(read(), /^error: wipe was not run: the person said no/);
  assert.equal(ran(), "");
});

test("of two clients the first answer counts, and both are told", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const [one, other] = [await connect("confirm"), await connect("confirm")];
  one.send(askWipe);
  const asked = await other.next("confirm");
  assert.deepEqual(await one.next("confirm"), asked);
  assert.equal((await other.ask(answer(asked, false))).type, "ok");
  assert.equal((await one.ask(answer(asked, true))).code, "not_open");
  for (const client of [one, other]) {
    const told = client.lines.find(({ type }) => type === "confirmed");
    assert.deepEqual(
      [told?.key, told?.call, told?.allow, told?.reason],
      [asked.key, asked.call, false, "answer"],
    );
  }
  await one.next(idle);
  assert.equal(ran(), "");
});

test("a client without the feature is not asked, and sees the tool begin and end", async (t) => {
  const { client: connect, daemon } = await wiping(t);
  const [plain, old] = [await connect("notice"), await daemon.connect()];
  await answering(await connect("confirm"), askWipe.text, true);
  const shown = [
    "state thinking",
    "tool false",
    "state tool",
    "tool true",
    "state thinking",
    "done",
    "state idle",
  ];
  for (const client of [plain, old]) {
    await client.next(idle);
    assert.deepEqual(about(client.lines), shown);
  }
});

test("with nobody to ask it is refused at once, and the model reads that the person must confirm", async (t) => {
  const { client: connect, ran, read } = await wiping(t);
  const client = await connect();
  client.send(askWipe);
  assert.ok(!about(await client.turn()).includes("confirm"));
  assert.match(
    read(),
    /^error: wipe was not run: the person must confirm it, and nobody could be asked/,
  );
  assert.equal(ran(), "");
});

test("who has closed its sending side can answer nothing, so it is refused at once", async (t) => {
  const { client: connect, read } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  client.socket.end();
  await client.next(idle);
  assert.ok(!client.lines.some(({ type }) => type === "confirm"));
  assert.match(read(), /the person must confirm it/);
});

test("a call whose id holds half a character can be answered", async (t) => {
  const script: Script = (reply, _, count) =>
    count === 1
      ? reply.call("wipe", { what: "all" }, { id: "a\ud800" }).finish("tool_calls").done()
      : reply.text("Done.").finish().done();
  const { client: connect, ran } = await wiping(t, { script });
  await answering(await connect("confirm"), "go", true);
  assert.equal(ran(), "all|--||");
});

test("arguments that are nested without end are a fault that the model reads", async (t) => {
  const deep = `{"what":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
  const script: Script = (reply, _, count) =>
    count === 1
      ? reply.call("wipe", deep).finish("tool_calls").done()
      : reply.text("Done.").finish().done();
  const { client: connect, read } = await wiping(t, { script });
  const client = await connect("confirm");
  const lines = await answering(client, "go", true);
  assert.equal(read(), "error: arguments are nested too deeply");
  assert.ok(lines.some(({ type }) => type === "done"));
  const ran = await client.ask({ type: "run", name: "wipe", arguments: deep });
  assert.equal(ran.error, "arguments are nested too deeply");
});

test("when the last one leaves, the question stays open, and who comes finds it and can answer", async (t) => {
  const { client: connect, daemon, ran } = await wiping(t);
  const plain = await connect();
  const first = await connect("confirm");
  first.send(askWipe);
  const { type: _, key: __, ...asked } = await first.next("confirm");
  await first.end();
  const late = await daemon.connect();
  const hello = await late.ask({ type: "features", names: ["confirm"] });
  const pending = Object(hello.pending);
  assert.deepEqual(pending.confirm, asked);
  assert.equal(
    (await late.ask(answer({ type: "", key: pending.key, call: pending.confirm.call }, true))).type,
    "ok",
  );
  await plain.next(idle);
  assert.equal(ran(), "all|--|-f|");
});

test("a stop while it is open is followed by done and idle only, and nothing runs", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  const asked = await client.next("confirm");
  const from = client.lines.length;
  assert.equal((await client.ask({ type: "stop" })).stopped, asked.key);
  assert.equal((await client.ask(answer(asked, true))).code, "not_open");
  const after = client.lines.slice(from).filter(({ req }) => req === undefined);
  assert.deepEqual(about(after), ["done", "state idle"]);
  assert.equal(after.length, 2);
  assert.equal(ran(), "");
  const next = await answering(client, askWipe.text, true);
  assert.equal(next.filter(({ type }) => type === "confirm").length, 1);
  assert.equal(ran(), "all|--|-f|");
});

test("an answer right behind a stop is late", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  const asked = await client.next("confirm");
  client.send({ type: "stop" }, { ...answer(asked, true), req: "late" });
  const told = await client.next(({ req }) => req === "late");
  assert.deepEqual([told.code, ran()], ["not_open", ""]);
});

test("a file that changes while the question is open does not run", async (t) => {
  const { client: connect, home, ran, read } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  const asked = await client.next("confirm");
  const other = 'description = "Wipes."\neffect = "change"\ncommand = ["touch", "trace"]\n';
  writeFileSync(join(home.tools, "wipe.toml"), other);
  await client.ask(answer(asked, true));
  await client.next(idle);
  assert.equal(read(), "error: wipe has changed meanwhile, so nothing was run");
  assert.equal(ran(), "");
});

test("confirm never waives the question until text of others was read; always asks for a reading tool", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  const asks = async (text: string) => {
    const lines = await answering(client, text, false);
    return lines.flatMap(({ type, why }) => (type === "confirm" ? [why] : []));
  };
  assert.deepEqual(await asks('use free {"what":"one"}'), []);
  assert.equal(ran(), "one|--||");
  assert.deepEqual(await asks('use careful {"what":"two"}'), [
    "its settings say that it asks each time",
  ]);
  assert.deepEqual(await asks("use mail"), []);
  const why = "it may change something, and text that others wrote has been read";
  assert.deepEqual(await asks('use free {"what":"three"}'), [why]);
  await client.ask({ type: "new" });
  assert.deepEqual(await asks('use free {"what":"four"}'), []);
  assert.equal(ran(), "one|--||four|--||");
});

test("a call that was refused is not asked about again in the turn", async (t) => {
  const {
    client: connect,
    model,
    ran,
  } = await wiping(t, {
    script: (reply, _, count) =>
      count < 3
        ? reply.call("wipe", { what: "all", how: "x" }).finish("tool_calls").done()
        : reply.text("Done.").finish().done(),
  });
  const lines = await answering(await connect("confirm"), "q", false);
  assert.equal(lines.filter(({ type }) => type === "confirm").length, 1);
  assert.equal(lines.filter(({ type, done }) => type === "tool" && done === true).length, 2);
  assert.match(model.chats.at(-1)?.body ?? "", /the same call was made before in this turn/);
  assert.equal(ran(), "");
});

test("an answer needs a key, a call and true or false", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  const asked = await client.next("confirm");
  const good = answer(asked, true);
  const wrong = [
    { allow: 1 },
    { allow: "true" },
    { allow: null },
    { allow: undefined },
    { key: 7 },
    { key: "" },
    { key: null },
    { call: {} },
    { call: undefined },
  ];
  for (const fields of wrong)
    assert.equal(
      (await client.ask({ ...good, ...fields })).code,
      "bad_field",
      JSON.stringify(fields),
    );
  for (const fields of [{ key: "other" }, { call: "other" }])
    assert.equal((await client.ask({ ...good, ...fields })).code, "not_open");
  assert.equal(ran(), "");
  assert.equal((await client.ask(good)).type, "ok");
  await client.next(idle);
  assert.equal(ran(), "all|--|-f|");
});

test("a private conversation asks too, and nothing of it is logged", async (t) => {
  const { client: connect, daemon, ran } = await wiping(t);
  const client = await connect("confirm");
  await client.ask({ type: "new", private: true });
  const lines = await answering(client, 'use wipe {"what":"xylophone"}', true);
  assert.deepEqual(about(lines), around("confirmed true"));
  assert.equal(ran(), "xylophone|--||");
  assert.doesNotMatch(daemon.log.join("\n"), /xylophone|wipe/);
});

test("a queued question waits for the answer, and is asked after it", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  client.send(askWipe);
  const asked = await client.next("confirm");
  await client.ask({ type: "ask", text: 'use free {"what":"next"}', when: "queue" });
  await client.ask(answer(asked, false));
  await client.next(({ type, text }) => type === "user" && String(text).includes("next"));
  await client.next(idle);
  assert.equal(ran(), "next|--||");
});
