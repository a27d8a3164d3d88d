// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Running a command: where it is found, what it is given, and what the model reads of its end.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, place, run, shell, tool } from "./place.ts";

/** A folder on PATH that may not be looked into would make "no such program" another fault. */
const env = { PATH: "/usr/bin:/bin" };

const text = async (...given: Parameters<typeof run>) => (await run(...given)).text;

test("there is no shell between the file and the program", async () => {
  const x = `$(id) ; "quoted" 'single' * ~ \\n & | > /dev/null`;
  const command = ["printf", "<%s>", "{x}", "$HOME", "a{x}b"];
  assert.equal(await text(command, { args: { x }, rest: "[params.x]" }), `<${x}><$HOME><a${x}b>`);
});

test("an empty value is still an argument", async () => {
  assert.equal(await text(["printf", "<%s>", "{x}", "b"], { rest: "[params.x]" }), "<><b>");
});

test("a bare name is looked for beside the tool files first, then on PATH", async () => {
  await using here = place();
  for (const name of ["date", "echo", "printf", "mine"])
    here.write(`${name}.toml`, tool([name, "x"]));
  here.write("date", "#!/bin/sh\necho beside $1\n", 0o755);
  here.write("echo", "#!/bin/sh\necho not to be run\n", 0o644);
  mkdirSync(here.path("printf"));
  const tools = here.open(env);
  assert.equal((await call(tools, "date")).text, "beside x");
  assert.equal((await call(tools, "echo")).text, "x");
  assert.equal((await call(tools, "printf")).text, "x");
  assert.equal((await call(tools, "mine")).text, "error: cannot run mine: no such program");
});

test("a path is taken from the tools folder", async () => {
  await using here = place();
  mkdirSync(here.path("bin"));
  here.write("bin/it", "#!/bin/sh\necho found\n", 0o755);
  here.write("it.toml", tool(["./bin/it"]));
  here.write("none.toml", tool(["./bin/none"]));
  const tools = here.open();
  assert.equal((await call(tools, "it")).text, "found");
  assert.equal((await call(tools, "none")).text, "error: cannot run ./bin/none: no such program");
});

test("a script that others can write to is not run", async () => {
  await using here = place();
  here.write("it", "#!/bin/sh\necho theirs\n", 0o757);
  here.write("it.toml", tool(["it"]));
  here.write("path.toml", tool(["./it"]));
  const tools = here.open();
  for (const [name, shown] of [
    ["it", "it"],
    ["path", "./it"],
  ] as const)
    assert.equal(
      (await call(tools, name)).text,
      `error: cannot run ${shown}: others can write to it`,
    );
});

test("the working folder is the tools folder and standard input is empty", async () => {
  await using here = place();
  here.write("it.toml", tool(shell("cat; pwd -P; cat it.txt")));
  here.write("it.txt", "mine");
  assert.equal((await call(here.open(), "it")).text, `${here.folder}\nmine`);
});

test("the environment is the daemon's without the model's key, and with [env]", async () => {
  process.env.DESKTOP_ASSISTANT_API_KEY = "secret";
  process.env.DA_TEST_OWN = "own";
  try {
    // Only these: a whole environment is often longer than what a model reads of a result.
    const result = await run(shell("env | grep -E '^(DA_TEST|HOME=)|secret'"), {
      env: { DA_TEST_EXTRA: "extra", HOME: "/changed" },
    });
    const lines = result.text.split("\n");
    assert.equal(result.text.includes("secret"), false);
    for (const line of ["DA_TEST_OWN=own", "DA_TEST_EXTRA=extra", "HOME=/changed"])
      assert.ok(lines.includes(line), line);
  } finally {
    delete process.env.DESKTOP_ASSISTANT_API_KEY;
    delete process.env.DA_TEST_OWN;
  }
});

test("PATH of [env] is where programs are looked for", async () => {
  await using here = place();
  const bin = join(here.base, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "special"), "#!/bin/sh\necho special\n", { mode: 0o755 });
  here.write("it.toml", tool(["special"]));
  const tools = here.open({ PATH: `${bin}:${process.env.PATH}` });
  assert.equal((await call(tools, "it")).text, "special");
});

test("output is stripped and read leniently", async () => {
  assert.equal(await text(["printf", "\\n  a b\\n\\n"]), "a b");
  assert.equal(await text(["printf", "a\\377\\303b\\360\\237"]), "a\ufffd\ufffdb\ufffd");
  assert.equal(await text(["printf", "\\357\\273\\277bom"]), "bom");
});

test("a program that says nothing is told so to the model, and its data is empty", async () => {
  const said = await run(["true"]);
  assert.deepEqual([said.ok, said.text, said.data], [true, "(no output)", ""]);
  assert.equal(await text(["printf", " \\n\\t"]), "(no output)");
  assert.equal(await text(shell("exec >&- 2>&-; exit 0")), "(no output)");
  assert.equal(await text(shell("echo only complaints >&2")), "(no output)");
});

test("L29: the cut never splits a character", async () => {
  const a = "a".repeat(1999);
  assert.equal(await text(["printf", "%s", `${a}🎉b`]), `${a}🎉\n[cut: 1 more character]`);
});

test("the data of a long output is whole", async () => {
  const { data, text: read } = await run(shell("head -c 30000 /dev/zero | tr '\\0' a"));
  assert.equal(data, "a".repeat(30_000));
  assert.equal(read, `${"a".repeat(2000)}\n[cut: 28000 more characters]`);
});

test("a program that fails is told by the last line of its error output", async () => {
  const failed = await run(shell("echo half; echo first >&2; echo ' last ' >&2; echo >&2; exit 3"));
  const { latencyMs: _, ...rest } = failed;
  assert.deepEqual(rest, {
    ok: false,
    data: null,
    text: "error: last",
    error: "last",
    meta: {},
    card: null,
  });
  assert.equal(
    await text(shell("printf '10%%\\r20%%\\rno disk\\r\\n' >&2; exit 1")),
    "error: no disk",
  );
  assert.equal(await text(shell("printf 'a\\377' >&2; exit 1")), "error: a\ufffd");
});

test("a program that fails without a word is told by its exit status or signal", async () => {
  assert.equal(await text(["false"]), "error: exit status 1");
  assert.equal(await text(shell("echo out; exit 255")), "error: exit status 255");
  assert.equal(await text(shell("kill -SEGV $$")), "error: ended by SIGSEGV");
  assert.equal(await text(shell("echo why >&2; kill -9 $$")), "error: why");
});

test("a long complaint is cut as a long answer is", async () => {
  const { text: read, error } = await run(shell("head -c 9000 /dev/zero | tr '\\0' e >&2; exit 1"));
  assert.match(read, /^error: e+\n\[cut: \d+ more characters\]$/);
  assert.ok(error.length < 2100);
});

test("a program that cannot be run is told with the reason", async () => {
  assert.equal(
    await text(["no-such-thing"], { env }),
    "error: cannot run no-such-thing: no such program",
  );
  assert.equal(await text(["/etc"]), "error: cannot run /etc: permission denied");
  assert.equal(await text(["/etc/passwd/x"]), "error: cannot run /etc/passwd/x: not a directory");
  const x = "a".repeat(200_000);
  assert.equal(
    await text(["echo", "{x}"], { args: { x }, rest: "[params.x]" }),
    "error: cannot run echo: argument list too long",
  );
});

test("a refused value does not reach the program", async () => {
  const of = (x: string, command: string[], rest = "") =>
    text(command, { args: { x }, rest: `[params.x]\n${rest}` });
  const plain = ["printf", "%s", "{x}"];
  assert.equal(await of("--word", plain), "error: x: looks like an option: --word");
  assert.equal(await of("--word", plain, "dash = true"), "--word");
  assert.equal(await of("--word", ["printf", "--", "%s", "{x}"]), "--word");
  assert.equal(await of("a\0b", plain), "error: x: holds a NUL character");
});

test("several calls run side by side, each with its own answer", async () => {
  await using here = place();
  here.write("it.toml", tool(["echo", "{x}"], "[params.x]"));
  const tools = here.open();
  const numbers = Array.from({ length: 20 }, (_, x) => `${x}`);
  const results = await Promise.all(numbers.map((x) => call(tools, "it", { x })));
  assert.deepEqual(
    results.map((result) => result.text),
    numbers,
  );
});
