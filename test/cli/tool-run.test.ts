// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// `tools run`: what the model would read, and a yes before anything is changed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeTool, shows } from "../support/asking-chat.ts";
import { program } from "../support/command.ts";
import { startPerson } from "../support/person.ts";
import { openPty } from "../support/pty.ts";

const echoTool = `description = "Says a word"
command = ["printf", "%b", "{word}"]
params.word.description = "the word"
`;

const slowTool = `description = "Takes long"
command = ["sh", "-c", "exec 3>pipe; echo here >&3; exec sleep 100"]
timeout = 100
`;

async function open() {
  const person = await startPerson({
    tools: { "make.toml": makeTool, "echo.toml": echoTool },
  });
  return {
    ...person,
    made: () => existsSync(join(person.home.tools, "made")),
    /** The command in a terminal. */
    terminal: (...args: string[]) =>
      openPty([program, "tools", "run", ...args], { env: person.env }),
  };
}
const file = '{"file": "made"}';

test("it prints what the model would read, as it is into a pipe, and says how it went", async () => {
  await using me = await open();
  const good = await me.run(["tools", "run", "echo", '{"word": "a\\\\033[1mb"}']);
  assert.deepEqual(good, { status: 0, output: "a\x1b[1mb\n", errors: "" });
  const piped = await me.run(["tools", "run", "echo", "-"], '{"word": "c"}');
  assert.deepEqual(piped, { status: 0, output: "c\n", errors: "" });
  const bad = await me.run(["tools", "run", "nothing"]);
  assert.equal(bad.status, 1);
  assert.match(bad.output, /^error: no tool named nothing/);
});

test("who mistyped a name, an argument or the quotes is told what was meant", async () => {
  await using me = await startPerson({
    tools: {
      "echo.toml": echoTool,
      "bad.toml": 'description = "x"\n',
      "needs.toml": 'description = "x"\ncommand = ["echo", "{a}"]\nparams.a.required = true\n',
    },
  });
  const errors = async (...args: string[]) => (await me.run(["tools", "run", ...args])).errors;
  assert.equal(await errors("ecoh"), "Did you mean echo?\n");
  assert.equal(await errors("something_else"), "Type: desktop-assistant tools list\n");
  assert.equal(await errors("bad"), "bad is broken. Type: desktop-assistant tools check\n");
  assert.equal(
    await errors("echo", '{"wrod": "a"}'),
    "There is no parameter wrod, so it was left out. Did you mean word?\n",
  );
  assert.equal(await errors("needs"), "The parameter a is required, and was left empty.\n");
  assert.equal(await errors("needs", '{"a": "b"}'), "");
  const loose = await me.run(["tools", "run", "echo", "{word:", "a}"]);
  assert.equal(loose.status, 2);
  assert.match(loose.errors, /more than one word\nWrite them as one JSON object in quotes/);
  const unknown = await me.run(["tools", "run", "--word", "a"]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.errors, /Type: desktop-assistant tools run --help/);
});

test("on a terminal its control bytes are taken out", async () => {
  await using me = await open();
  const pty = me.terminal("echo", '{"word": "a\\\\033]0;x\\\\007b"}');
  assert.equal(await pty.ended, 0);
  assert.deepEqual(pty.screen.lines, ["a]0;xb"]);
  assert.deepEqual(pty.screen.unknown, []);
});

test("--json prints the whole result on one line", async () => {
  await using me = await open();
  const { status, output } = await me.run([
    "tools",
    "run",
    "--json",
    "echo",
    '{"word": "a\\\\nb"}',
  ]);
  assert.equal(status, 0);
  assert.equal(output.indexOf("\n"), output.length - 1);
  const { latency_ms, ...result } = JSON.parse(output);
  assert.equal(typeof latency_ms, "number");
  assert.deepEqual(result, {
    ok: true,
    data: "a\nb",
    text: "a\nb",
    error: "",
    meta: {},
    card: null,
  });
});

test("arguments that are no JSON object are a usage fault that says what is wanted", async () => {
  await using me = await open();
  for (const [given, why] of [
    ["{word: x}", /the arguments are not valid JSON/],
    ["[1]", /the arguments are not a JSON object/],
    ["null", /the arguments are not a JSON object/],
  ] as const) {
    const ran = await me.run(["tools", "run", "echo", given]);
    assert.equal(ran.status, 2);
    assert.equal(ran.output, "");
    assert.match(ran.errors, why);
    assert.match(ran.errors, /Write them as one JSON object in quotes: '\{"place": "Rome"\}'/);
  }
});

test("without a terminal a change is refused, also while a chat is open, unless --yes is given", async () => {
  await using me = await open();
  const chat = openPty([program, "chat"], { env: me.env });
  await chat.screen.until(shows("leave."));
  const refused = await me.run(["tools", "run", "make", file]);
  chat.type("\x04");
  await chat.ended;
  assert.equal(refused.status, 1);
  assert.match(refused.output, /make was not run: the person must confirm it, and nobody could be/);
  assert.equal(me.made(), false);
  const ran = await me.run(["tools", "run", "--yes", "make", file]);
  assert.equal(ran.status, 0);
  assert.equal(ran.errors, "allowed: make\n  touch -- made\n");
  assert.equal(me.made(), true);
});

test("on a terminal it asks until it gets y or n, and Enter is neither", async () => {
  await using me = await open();
  const pty = me.terminal("make", '{"file": "made\\u001b[2K"}');
  await pty.screen.until(shows("Run it? y/n"));
  assert.deepEqual(pty.screen.lines.slice(0, 2), [
    "make wants to run: it may change something",
    "  touch -- $'made\\x1b[2K'",
  ]);
  for (const [at, line] of ["", "ja", "yy", "y n"].entries()) {
    pty.type(`${line}\r`);
    await pty.screen.until(({ text }) => text.split("Only y or n answers.").length === at + 2);
  }
  assert.equal(existsSync(join(me.home.tools, "made\x1b[2K")), false);
  pty.type("no\r");
  assert.equal(await pty.ended, 1);
  assert.match(pty.screen.text, /error: make was not run: the person said no/);
  assert.equal(existsSync(join(me.home.tools, "made\x1b[2K")), false);
});

test("a y that was typed before the question does not count", async () => {
  await using me = await open();
  await me.run(["start"]);
  const pty = me.terminal("make", file);
  pty.type("y\r");
  await pty.screen.until(shows("That was typed before the question. Run it? y/n"));
  assert.equal(me.made(), false);
  pty.type("\x03");
  assert.equal(await pty.ended, 130);
  assert.equal(me.made(), false);
});

test("on a terminal the tool runs after y", async () => {
  await using me = await open();
  const pty = me.terminal("make", file);
  let over = false;
  const ended = pty.ended.finally(() => {
    over = true;
  });
  for (let asked = 1; !over; asked++) {
    const again = pty.screen.until(({ text }) => text.split("Run it? y/n").length > asked);
    await Promise.race([again, ended]);
    // One that came too soon is asked for again.
    if (!over) pty.type("y\r");
  }
  assert.equal(await ended, 0);
  assert.equal(me.made(), true);
  assert.match(pty.screen.text, /\(no output\)$/);
});

test("the end of the input is no", async () => {
  await using me = await open();
  const pty = me.terminal("make", file);
  await pty.screen.until(shows("Run it? y/n"));
  pty.type("\x04");
  assert.equal(await pty.ended, 1);
  assert.equal(me.made(), false);
});

test("Ctrl-C ends the tool that runs, not only the waiting for it", async () => {
  await using me = await open();
  const pipe = join(me.home.tools, "pipe");
  execFileSync("mkfifo", [pipe]);
  me.home.tool("slow.toml", slowTool);
  const pty = me.terminal("slow");
  // The tool holds the pipe open for as long as it lives.
  const reading = createReadStream(pipe);
  const gone = once(reading, "close");
  const [first] = await once(reading, "data");
  assert.equal(String(first), "here\n");
  pty.type("\x03");
  assert.equal(await pty.ended, 130);
  await gone;
});
