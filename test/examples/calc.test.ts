// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The example tool calc, run with the real qalc.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shipped } from "./shipped.ts";

test("calc answers as short as the matter allows", async () => {
  await using calc = await shipped("calc");
  assert.deepEqual(calc.notices, []);
  const asked = {
    "2 + 2 * 3": "8",
    "1/3": "approx. 0.3333333333",
    "10 / 4": "2.5",
    "-3*4": "-12",
    "-sqrt(16)": "-4",
    "15% of 80": "12",
    "80 + 15%": "92",
    "3 x 4": "12",
    "17 mod 5": "2",
    "5 km to mi": "approx. 3.106855961 mi",
    "20 °C to °F": "68 °F",
    "10 GB to GiB": "approx. 9.313225746 GiB",
    "255 to hex": "0xFF",
    "2026-12-25 - 2026-11-30": "25 d",
    "2026-12-25 + 10 days": '"2027-01-04"',
    "x^2 = 4": "(x^2) = 4\nx = 2 or x = -2",
  };
  const said: Record<string, string> = {};
  for (const expression of Object.keys(asked)) said[expression] = await calc.read({ expression });
  // How an equation is repeated differs between versions of qalc; what it comes to does not.
  said["x^2 = 4"] = said["x^2 = 4"]?.replace(/^x\^2 = 4/, "(x^2) = 4") ?? "";
  assert.deepEqual(said, asked);
});

test("currencies are converted without the network, and old rates are named as such", async () => {
  await using calc = await shipped("calc");
  const text = await calc.read({ expression: "10 EUR to USD" });
  assert.match(text, /approx\. (?:\$|USD )\d+\.\d+/);
});

test("what cannot be calculated is a fault with the reason, never a number", async () => {
  await using calc = await shipped("calc");
  const read = (expression: string) => calc.read({ expression });
  assert.match(await read("foo"), /^error: "foo" is not a valid/);
  assert.match(await read("--help"), /^error: "\w+" is not a valid/);
  assert.match(await read("-f /etc/passwd"), /^error: "\w+" is not a valid/);
  assert.equal(await calc.read(), "error: one expression is wanted");
  assert.match(await read("1".repeat(501)), /^error: expression: /);
});

test("a number that would fill the machine is bounded", async () => {
  await using calc = await shipped("calc");
  assert.match(await calc.read({ expression: "9^9^9^9" }), /9\^\(?9\^/);
  assert.match(await calc.read({ expression: "sum(1/x^2, 1, 10^12)" }), /^error: /);
});

test("an expression runs no command, reads no file and writes none", async () => {
  await using calc = await shipped("calc");
  const mark = join(calc.home, "mark");
  const secret = join(calc.home, "secret.csv");
  writeFileSync(secret, "4711,4712\n");
  for (const expression of [
    `command("touch ${mark}")`,
    `COMMAND(touch ${mark})`,
    `1 to command("touch ${mark}")`,
    `for(x; 1; x < 2; x + 1; command("touch ${mark}"))`,
    `function("command(\\x)", "touch ${mark}")`,
    `function(concatenate("comm", "and(\\x)"), "touch ${mark}")`,
    `export([1 2], ${mark})`,
    `load(${secret})`,
    `save(5, zz)`,
  ]) {
    const text = await calc.read({ expression });
    assert.match(text, /^error: .* are switched off$/, expression);
    assert.doesNotMatch(text, /4711/);
  }
  assert.equal(existsSync(mark), false);
});

test("the names are gone from qalc itself, so that one put together from pieces finds nothing", async () => {
  await using calc = await shipped("calc");
  const mark = join(calc.home, "mark");
  const secret = join(calc.home, "secret.csv");
  writeFileSync(secret, "4711,4712\n");
  // Without the look at the expression, only the folder of qalc's own stands in the way.
  const script = join(calc.home, "tools", "calc.sh");
  const whole = readFileSync(script, "utf8");
  const open = whole.replace(/^case \$\(printf.*?^esac$/ms, "");
  assert.notEqual(open, whole);
  writeFileSync(script, open);
  for (const expression of [
    `command("touch ${mark}")`,
    `function("command(\\x)", "touch ${mark}")`,
    `function(concatenate("comm", "and(\\x)"), "touch ${mark}")`,
    `export([1 2], ${mark})`,
    `load(${secret})`,
  ]) {
    assert.doesNotMatch(await calc.read({ expression }), /4711/, expression);
    assert.equal(existsSync(mark), false, expression);
  }
});

test("without its folder calc says so and does not calculate", async () => {
  await using calc = await shipped("calc");
  writeFileSync(join(calc.home, ".cache"), "a file, not a folder");
  assert.match(await calc.read({ expression: "1 + 1" }), /^error: cannot make /);
});

test("a missing qalc is named with what to type", async () => {
  await using calc = await shipped("calc", { env: { PATH: "/nowhere" } });
  assert.match(
    await calc.read({ expression: "1 + 1" }),
    /qalc is not installed .*apt install qalc/,
  );
});

test("the person's own exchange rates are used where there are any", async () => {
  await using calc = await shipped("calc");
  const own = join(calc.home, ".local", "share", "qalculate");
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o700);
  writeFileSync(
    join(own, "eurofxref-daily.xml"),
    `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<Cube><Cube time='2026-11-27'><Cube currency='USD' rate='3.25'/></Cube></Cube></gesmes:Envelope>`,
  );
  assert.match(await calc.read({ expression: "10 EUR to USD" }), /32\.5/);
});
