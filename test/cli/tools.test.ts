// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// `tools add`: the examples that are shipped, copied by the command as a person types it.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../support/command.ts";
import { makeHome } from "../support/daemon.ts";
import { startPerson } from "../support/person.ts";

/** A home without a daemon: copying a file needs none. */
function open() {
  const home = makeHome();
  return {
    ...home,
    add: (args: string[]) => run(["tools", "add", ...args], { env: home.env }),
    [Symbol.dispose]: () => home.remove(),
  };
}

test("without a name the examples are listed with what they do", async () => {
  using home = open();
  const { status, output } = await home.add([]);
  assert.equal(status, 0);
  assert.match(output, /^calc {2}\S/m);
  assert.match(output, /^now {2}\S/m);
});

test("an example is copied as it is, readable by its owner", async () => {
  using home = open();
  const { status, output } = await home.add(["now"]);
  const path = join(home.tools, "now.toml");
  assert.equal(status, 0);
  assert.match(
    output,
    /^Added .*now\.toml\nThe next conversation has it \(in the chat: \/new\)\.\n/,
  );
  const shipped = new URL("../../examples/tools/now.toml", import.meta.url);
  assert.equal(readFileSync(path, "utf8"), readFileSync(shipped, "utf8"));
  assert.equal(statSync(path).mode & 0o022, 0);
});

test("a file that is there is not overwritten without --force", async () => {
  using home = open();
  const path = join(home.tools, "now.toml");
  writeFileSync(path, "mine");
  const refused = await home.add(["now"]);
  assert.equal(refused.status, 1);
  assert.match(refused.errors, /is there already\n.*--force/);
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.equal((await home.add(["now", "--force"])).status, 0);
  assert.notEqual(readFileSync(path, "utf8"), "mine");
});

test("a program that is missing is named with how to install it", async () => {
  using home = open();
  // Without PATH the launcher, a shell script, would not come far.
  const argv = [process.execPath, fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))];
  const env = { ...home.env, PATH: "/nowhere" };
  const { status, output } = await run(["tools", "add", "calc"], { env, argv });
  assert.equal(status, 0);
  assert.match(output, /The program qalc is missing.*apt install qalc/);
});

test("an unknown example is answered with those there are", async () => {
  using home = open();
  const { status, errors } = await home.add(["../../etc/passwd"]);
  assert.equal(status, 1);
  assert.match(errors, /there is no example tool/);
  assert.match(errors, /There are: .*calc/);
});

test("a script beside an example is copied with it and can be run", async () => {
  using home = open();
  await home.add(["calc"]);
  const { mode } = statSync(join(home.tools, "calc.sh"));
  assert.equal(mode & 0o122, 0o100);
});

test("a copied example is at once a tool of the assistant", async () => {
  await using me = await startPerson({
    script: (reply, { json }) => {
      if (json.messages.at(-1)?.role === "tool") {
        reply
          .text(String(json.messages.at(-1)?.content))
          .finish()
          .done();
      } else reply.call("now", {}).finish("tool_calls").done();
    },
  });
  await me.run(["tools", "add", "now"]);
  const { status, output } = await me.run(["ask", "What time is it?"]);
  assert.equal(status, 0);
  assert.match(output, /\(\d{4}-\d\d-\d\d\)\n$/);
});
