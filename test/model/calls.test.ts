// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tool calls in fragments (cases/streams.md, rows L1 to L8 and L21).
import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, data, done, finish, named, read } from "./reading.ts";

const end = finish("tool_calls") + done;
const made = (name: string, args?: unknown) => ({ function: { name, arguments: args } });

test("L1: calls without an index are told apart by their ids", () => {
  const outcome = read(
    calls({ id: "a", ...made("weather", '{"city":"Oslo"}') }) +
      calls({ id: "b", ...made("weather", '{"city":"Bern"}') }) +
      end,
  );
  assert.deepEqual(named(outcome), [
    ["weather", '{"city":"Oslo"}'],
    ["weather", '{"city":"Bern"}'],
  ]);
});

test("L1: a fragment without an index goes on with the call of its id", () => {
  const outcome = read(
    calls({ id: "a", ...made("weather", '{"city":') }) +
      calls({ id: "b", ...made("now", "{") }) +
      calls({ id: "a", function: { arguments: '"Oslo"}' } }) +
      calls({ id: "b", function: { arguments: "}" } }) +
      end,
  );
  assert.deepEqual(named(outcome), [
    ["weather", '{"city":"Oslo"}'],
    ["now", "{}"],
  ]);
});

test("without index and id, fragments go on with the last call, and a new name begins another", () => {
  const outcome = read(
    calls(made("weather", '{"city":')) +
      calls({ function: { arguments: '"Oslo"}' } }) +
      calls(made("weather", '{"city":"Bern"}')) +
      calls(made("now", "")) +
      calls(made("calc", "{}")) +
      end,
  );
  assert.deepEqual(named(outcome), [
    ["weather", '{"city":"Oslo"}'],
    ["weather", '{"city":"Bern"}'],
    ["now", ""],
    ["calc", "{}"],
  ]);
});

test("L3: a new id on a used index begins a new call", () => {
  const outcome = read(
    calls({ index: 0, id: "a", ...made("weather", '{"city":"Oslo"}') }) +
      calls({ index: 0, id: "b", ...made("weather", '{"city":') }) +
      calls({ index: 0, function: { arguments: '"Bern"}' } }) +
      end,
  );
  assert.deepEqual(named(outcome), [
    ["weather", '{"city":"Oslo"}'],
    ["weather", '{"city":"Bern"}'],
  ]);
});

test("L3: a name repeated in each fragment of one id is set once", () => {
  const outcome = read(
    calls({ index: 0, id: "a", ...made("weather", '{"city":') }) +
      calls({ index: 0, id: "a", ...made("weather", '"Oslo"') }) +
      calls({ index: 0, id: "a", ...made("weather", "}") }) +
      end,
  );
  assert.deepEqual(named(outcome), [["weather", '{"city":"Oslo"}']]);
});

test("L3: whole calls on one index without ids stay two calls", () => {
  const outcome = read(
    calls({ index: 0, ...made("weather", '{"city":"Oslo"}') }) +
      calls({ index: 0, ...made("weather", '{"city":"Bern"}') }) +
      end,
  );
  assert.equal(named(outcome).length, 2);
});

test("L4: interleaved fragments keep to their index", () => {
  const outcome = read(
    calls({ index: 0, id: "a", ...made("weather", "") }) +
      calls({ index: 1, id: "b", ...made("now", "") }) +
      calls({ index: 0, function: { arguments: '{"city":"Oslo"}' } }) +
      calls({ index: 1, function: { arguments: '{"zone":"CET"}' } }) +
      end,
  );
  assert.deepEqual(named(outcome), [
    ["weather", '{"city":"Oslo"}'],
    ["now", '{"zone":"CET"}'],
  ]);
});

test("L5: arguments may be an object", () => {
  const outcome = read(calls({ index: 0, id: "a", ...made("qalc", { expr: "2+2" }) }) + end);
  assert.deepEqual(named(outcome), [["qalc", '{"expr":"2+2"}']]);
});

test("arguments that are repeated whole at the end are taken once", () => {
  const fragment = { index: 0, id: "a", ...made("qalc", '{"expr":"1"}') };
  assert.deepEqual(named(read(calls(fragment) + calls(fragment) + end)), [
    ["qalc", '{"expr":"1"}'],
  ]);
});

test("L7: a call that names no tool is dropped and counted", () => {
  const outcome = read(calls({ index: 0, id: "", ...made("", "{}") }) + end);
  assert.deepEqual(outcome.reply?.calls, []);
  assert.equal(outcome.reply?.namelessCalls, 1);
});

test("L8: an id that is null or empty is replaced by a unique one, and the name is trimmed", () => {
  const outcome = read(
    calls(
      { index: 0, id: null, ...made(" weather ", "{}") },
      { index: 1, id: "", ...made("now", "{}") },
    ) + end,
  );
  const [first, second] = outcome.reply?.calls ?? [];
  assert.equal(first?.name, "weather");
  assert.ok(first?.id && second?.id && first.id !== second.id);
});

test("an id that comes late, or twice for two calls, still gives each call one of its own", () => {
  const late = read(
    calls({ index: 0, ...made("now", "") }) +
      calls({ index: 0, id: "a", function: { arguments: "{}" } }) +
      end,
  );
  assert.deepEqual(late.reply?.calls, [{ id: "a", name: "now", arguments: "{}", whole: true }]);
  const same = read(
    calls(
      { index: 0, id: "a", ...made("now", "{}") },
      { index: 1, id: "a", ...made("now", "{}") },
    ) + end,
  );
  const ids = new Set(same.reply?.calls.map((call) => call.id));
  assert.equal(ids.size, 2);
});

test("L21: a call that ran into the token limit is not whole", () => {
  const outcome = read(
    calls({ index: 0, id: "a", ...made("send", '{"to":"ana","text":"meet at') }) +
      finish("length") +
      done,
  );
  assert.deepEqual(outcome.reply?.calls, [
    { id: "a", name: "send", arguments: '{"to":"ana","text":"meet at', whole: false },
  ]);
});

test("tool calls that are no list, or hold no objects, are passed over", () => {
  const odd = data({ choices: [{ delta: { tool_calls: "x", content: "a" } }] });
  const outcome = read(
    odd + data({ choices: [{ delta: { tool_calls: [1, null] } }] }) + finish() + done,
  );
  assert.equal(outcome.reply?.text, "a");
  assert.deepEqual(outcome.reply?.calls, []);
});
