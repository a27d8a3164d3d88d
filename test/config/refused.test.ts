// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What stops the start, and how file, line, key and the nearest key are told.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder, refusal, refused } from "./folder.ts";

const unknown: [text: string, message: string, hint: RegExp][] = [
  ['lmm = "x"', "config.toml:1: lmm is no known key", /Did you mean "llm"\?/],
  ["\r\nthimk = true", "config.toml:2: thimk is no known key", /"think"/],
  ["toolRounds = 1", "config.toml:1: toolRounds is no known key", /"tool_rounds"/],
  ["[persn]\nname = 'x'", "config.toml:1: persn is no known key", /"person"/],
  ["[person]\nnmae = 'x'", "config.toml:2: person.nmae is no known key", /"name"/],
  ["person = { adress = 'x' }", "config.toml:1: person.adress is no known key", /"address"/],
  ["[engine]\n\nthread = 1", "config.toml:3: engine.thread is no known key", /"threads"/],
  ["engine.gpu-layers = 1", "config.toml:1: engine.gpu-layers is no known key", /"gpu_layers"/],
  ["[mcp.a]\nurll = 'x'", "config.toml:2: mcp.a.urll is no known key", /"url"/],
  ["colour = 1", "config.toml:1: colour is no known key", /Known here: llm, model, .*plugins/],
  ["[person]\nthink = true", "config.toml:2: person.think is no known key", /above the first/],
  ["threads = 2", "config.toml:1: threads is no known key", /belongs below \[engine\]/],
  ["[__proto__]\na = 1", "config.toml:1: __proto__ is no known key", /^$/],
  ["[plugins.a]\n__proto__.b = 1", "config.toml:2: plugins.a.__proto__ is no known key", /^$/],
  ["constructor = 1", "config.toml:1: constructor is no known key", /Known here/],
  ["'a b' = 1", 'config.toml:1: "a b" is no known key', /Known here/],
];

for (const [text, message, hint] of unknown) {
  test(`an unknown key stops the start: ${JSON.stringify(text)}`, async () => {
    const found = await refusal(text);
    assert.deepEqual([found.code, found.message], ["config", message]);
    assert.match(found.hint, hint);
  });
}

for (const text of ['card = "x"', "[whisper]\nport = 1", "[kokoro]", "[voice.it]\nlang = 'it'"]) {
  test(`a key of the voice era stops the start: ${JSON.stringify(text)}`, async () => {
    const { code, message, hint } = await refusal(`\n${text}`);
    assert.equal(code, "config");
    assert.match(message, /^config\.toml:2: \w+ belongs to the voice program.*voice\.toml/);
    assert.match(hint, /voice\.toml/);
  });
}

const wrong: [text: string, message: RegExp][] = [
  ["llm = 1", /llm must be a text in quotes, and is an integer$/],
  ["model = 2026-11-30", /model must be a text in quotes, and is a date or time$/],
  ["think = 'yes'", /think must be true or false, and is a text$/],
  ["warm = 1", /warm must be true or false, and is an integer$/],
  ["tool_rounds = 3.0", /tool_rounds must be an integer from 0 to 20, and is a number with/],
  ["tool_rounds = '3'", /tool_rounds must be an integer from 0 to 20, and is a text$/],
  ["temperature = true", /temperature must be a number from 0 to 2, and is true or false$/],
  ["system = ['a']", /system must be a text in quotes, and is a list$/],
  ["person = 'x'", /person must be a table, and is a text$/],
  ["[[person]]", /person must be a table, and is a list$/],
  ["env = 1", /env must be a table, and is an integer$/],
  ["env.a = [1]", /env\.a must be a single value .*, and is a list$/],
  ["env.a.b = 1", /env\.a must be a single value .*, and is a table$/],
  ["engine.threads = 'all'", /engine\.threads must be an integer from 1 to 1024, and is a text$/],
  ["mcp = 1", /mcp must be a table of tables, each with a name, and is an integer$/],
  ["mcp.a = 1", /mcp\.a must be a table, and is an integer$/],
  ["mcp.a.command = 'x'", /mcp\.a\.command must be a list of texts, and is a text$/],
  ["mcp.a.command = ['x', 1]", /mcp\.a\.command\[1\] must be a text in quotes, and is an integer$/],
  ["plugins = []", /plugins must be a table of tables, each with a name, and is a list$/],
  ["plugins.a = 1", /plugins\.a must be a table, and is an integer$/],
];

for (const [text, message] of wrong) {
  test(`a wrong type stops the start: ${text}`, async () => {
    const found = await refusal(`\n\n${text}`);
    assert.equal(found.code, "config");
    assert.match(found.message, /^config\.toml:3: /);
    assert.match(found.message, message);
  });
}

const outside: [text: string, message: RegExp][] = [
  ["temperature = -0.1", /must be a number from 0 to 2, and is -0\.1$/],
  ["temperature = 2.1", /must be a number from 0 to 2, and is 2\.1$/],
  ["temperature = nan", /must be a number from 0 to 2, and is NaN$/],
  ["tool_rounds = 21", /must be an integer from 0 to 20, and is 21$/],
  ["tool_rounds = -1", /must be an integer from 0 to 20, and is -1$/],
  ["tool_rounds = 9223372036854775807", /must be an integer from 0 to 20/],
  ["stall = 0", /must be a number from 1 to/],
  ["stall = inf", /must be a number from 1 to/],
  ["tools_mode = 'plann'", /must be one of "auto", "native", "plan"$/],
  ["llm = ''", /must be an address that begins with http/],
  ["llm = 'localhost:8181/v1'", /must be an address that begins with http/],
  ["llm = 'ftp://localhost/v1'", /must be an address that begins with http/],
  ["llm = 'http://'", /must be an address that begins with http/],
  ["llm = 'http://a:b@localhost/v1'", /must not hold a key or password$/],
  ["api_key_file = ''", /must not be empty$/],
  ['api_key_file = "a\\u0000b"', /must not hold a NUL$/],
  ["env.'a=b' = 1", /can't be the name of a variable$/],
  ["env.'' = 1", /can't be the name of a variable$/],
  ['env.a = "b\\u0000"', /must not hold a NUL$/],
  ["engine.threads = 0", /must be an integer from 1 to 1024, and is 0$/],
  ["mcp.a.timeout = 0", /must be a number from 1 to 3600, and is 0$/],
  ["mcp.a.command = []", /must begin with the name of a program$/],
  ["[mcp.a]", /mcp\.a must have either command or url$/],
  ["mcp.a = { url = 'http://x', command = ['y'] }", /mcp\.a must have either command or url$/],
  ["mcp.a.url = 'x'", /mcp\.a\.url must be an address/],
];

for (const [text, message] of outside) {
  test(`a value out of range stops the start: ${text}`, async () => {
    const found = await refusal(text);
    assert.equal(found.code, "config");
    assert.match(found.message, /^config\.toml:1: /);
    assert.match(found.message, message);
  });
}

test("a wrong choice is told with the nearest one", async () => {
  assert.equal((await refusal('tools_mode = "plann"')).hint, 'Did you mean "plan"?');
});

test("no message shows a text of the file, which may be a secret", async () => {
  for (const text of ['llm = "sesame"', 'llm = "http://u:sesame@x/v1"', 'tools_mode = "sesame"']) {
    const { message, hint } = await refusal(text);
    assert.equal(`${message}${hint}`.includes("sesame"), false);
  }
});

test("what is no TOML stops the start with file and line", async () => {
  const { code, message } = await refusal("think = true\nllm = http://x\n");
  assert.equal(code, "toml");
  assert.match(message, /^config\.toml:2:7: /);
});

test("a file that is not UTF-8 stops the start", async () => {
  const found = await refusal(Buffer.from('system = "caf\xe9"', "latin1"));
  assert.deepEqual([found.code, found.message], ["config", "config.toml is not UTF-8 text"]);
});

test("a folder in the file's place stops the start", async () => {
  using place = makeFolder();
  mkdirSync(place.file);
  const found = await refused(place.file);
  assert.deepEqual([found.code, found.message], ["config", "config.toml is not a file"]);
});

test("a path through something that is no folder stops the start", async () => {
  using place = makeFolder();
  place.write("");
  const found = await refused(join(place.file, "config.toml"));
  assert.equal(found.code, "config");
  assert.match(found.message, /can't be read: ENOTDIR/);
});
