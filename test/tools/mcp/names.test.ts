// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What servers' tools are called: fit for a model, apart from each other, the same at every start.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toolName } from "../../../src/tools/mcp/names.ts";
import { open } from "../../support/mcp/opened.ts";

const named = (...names: string[]) => ({
  script: { tools: names.map((name) => ({ name, description: `Does ${name}.` })) },
});

test("a name is the server's and the tool's, with only what a model may write", () => {
  assert.equal(toolName("files", "read_file"), "files__read_file");
  assert.equal(toolName("my files", "read/it.now"), "my_files__read_it_now");
  assert.match(toolName("großer", "späher"), /^gro_er__sp_her$/);
});

test("X5: names that are equal in their first 64 letters stay apart", () => {
  const [one, other] = ["x", "y"].map((end) => toolName("a", "n".repeat(79) + end));
  assert.notEqual(one, other);
  for (const name of [one, other]) assert.match(name ?? "", /^a__n{52}_[0-9a-f]{8}$/);
  assert.equal(toolName("a", "n".repeat(61)).length, 64);
  assert.equal(toolName("a", "n".repeat(61)), `a__${"n".repeat(61)}`);
});

test("names in a script that a model may not write stay apart", () => {
  const names = ["天气", "新闻", "طقس", "get_天气", "get_新闻"].map((name) => toolName("s", name));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^s__(get)?_+[0-9a-f]{8}$/);
});

test("X5: the same tool on two servers is two tools", async () => {
  await using mcp = open({ a: named("search"), b: named("search") });
  await mcp.ready();
  assert.deepEqual(
    mcp.tools.list().map(({ name }) => name),
    ["a__search", "b__search"],
  );
  assert.equal((await mcp.call("b__search", { words: "found" })).text, "found");
});

test("X5: a real clash refuses both, whoever comes first, and again at the next start", async () => {
  const servers = { a: named("b__c", "fine"), a__b: named("c", "d.e", "d_e") };
  const check = (mcp: ReturnType<typeof open>) => {
    assert.deepEqual(
      mcp.tools.list().map(({ name }) => name),
      ["a__fine"],
    );
    for (const [name, one, other] of [
      ["a__b__c", "b__c of the server a", "c of the server a__b"],
      ["a__b__d_e", "d.e of the server a__b", "d_e of the server a__b"],
    ] as const) {
      const { state, error } = mcp.known(name);
      assert.equal(state, "broken");
      assert.equal(error, `${one} and ${other} have the same name here`);
    }
  };
  const { remembered } = await (async () => {
    await using mcp = open(servers);
    await mcp.ready();
    check(mcp);
    return mcp;
  })();
  await using again = open(servers, { remembered });
  // Before any server has answered.
  check(again);
  assert.match((await again.call("a__b__c")).text, /no tool named a__b__c/);
  await again.ready();
  check(again);
  const { a, a__b } = servers;
  await using turned = open({ a__b, a });
  await turned.until(() => turned.tools.servers().every(({ state }) => state === "ready"));
  assert.deepEqual(
    turned.tools.list().map(({ name }) => name),
    ["a__fine"],
  );
});

test("tools stand in the order of config and of their names, not of the server", async () => {
  const servers = { z: named("two", "one"), a: named("b", "a") };
  await using mcp = open(servers);
  await mcp.ready();
  const order = ["z__one", "z__two", "a__a", "a__b"];
  assert.deepEqual(
    mcp.tools.list().map(({ name }) => name),
    order,
  );
});

test("a list in pages is read to its end, and one without end only so far", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `tool_${at}`);
  const paged = { script: { ...named(...names).script, page: 7 } };
  const endless = { script: { ...named("one", "two").script, page: 1, endless: true } };
  const many = named(...Array.from({ length: 2500 }, (_, at) => `tool_${at}`));
  await using mcp = open({ paged, endless, many });
  await mcp.ready();
  assert.deepEqual(
    mcp.tools.servers().map(({ server, tools }) => [server, tools]),
    [
      ["paged", 300],
      ["endless", 2],
      ["many", 2000],
    ],
  );
});

test("what the person lists is all there is, and a wrong name is told with the nearest", async () => {
  const a = {
    ...named("read_file", "write_file"),
    tools: ["read_file", "wite_file"],
    read: ["reed_file"],
  };
  await using mcp = open({ a });
  await mcp.ready();
  assert.deepEqual(
    mcp.tools.items().map(({ name, effect }) => [name, effect]),
    [["a__read_file", "change"]],
  );
  assert.deepEqual(
    mcp.notices.map(({ message, hint }) => [message, hint]),
    [
      ["The server a has no tool wite_file, which config.toml names", "Did you mean write_file?"],
      ["The server a has no tool reed_file, which config.toml names", "Did you mean read_file?"],
    ],
  );
  assert.match((await mcp.call("a__write_file")).text, /no tool named a__write_file/);
});

test("a tool changes things until the person says that it reads, and it is never trusted", async () => {
  const annotations = { readOnlyHint: true, destructiveHint: false };
  const tools = ["look", "touch"].map((name) => ({ name, annotations }));
  await using mcp = open({ a: { script: { tools }, read: ["look"] } });
  await mcp.ready();
  assert.deepEqual(
    mcp.tools.list().map(({ name, effect, confirm, untrusted, configKey }) => ({
      name,
      effect,
      confirm,
      untrusted,
      configKey,
    })),
    [
      { name: "a__look", effect: "read", confirm: "auto", untrusted: true, configKey: "a" },
      { name: "a__touch", effect: "change", confirm: "auto", untrusted: true, configKey: "a" },
    ],
  );
});

test("a server that the person turned off is not started, and says so", async () => {
  await using mcp = open({ a: { command: ["no-such-program"], enabled: false }, b: {} });
  await mcp.until(() => mcp.state("b") === "ready");
  const { state, error, tools } = mcp.item("a");
  assert.deepEqual([state, error, tools], ["off", "", 0]);
  await mcp.tools.check(new AbortController().signal);
  assert.equal(mcp.state("a"), "off");
});
