// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The example tool now, run with the real date.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shipped } from "./shipped.ts";

test("now says week day, date and time of the person's time zone", async () => {
  await using now = await shipped("now", { env: { LC_ALL: "C", TZ: "XYZ-14" } });
  const day = () => new Date(Date.now() + 14 * 3_600_000);
  const before = day();
  const text = await now.read();
  const after = day();
  const parts = /^(\w+) (\d+) (\w+) (\d{4}), (\d\d):(\d\d) XYZ \((\d{4}-\d\d-\d\d)\)$/.exec(text);
  assert.ok(parts, text);
  const [, weekday, date, month, year, hour, minute, iso] = parts;
  const minuteOf = (time: Date) => time.toISOString().slice(0, 16);
  const said = `${iso}T${hour}:${minute}`;
  assert.ok(minuteOf(before) <= said && said <= minuteOf(after), `${said}, ${text}`);
  const words = new Date(`${iso}T12:00:00Z`).toLocaleDateString("en-GB", {
    weekday: "long",
    month: "long",
    timeZone: "UTC",
  });
  assert.deepEqual(words.split(" ").sort(), [weekday, month].sort());
  assert.equal(`${year}-${String(date).padStart(2, "0")}`, `${iso?.slice(0, 4)}-${iso?.slice(8)}`);
});

test("now costs the model no arguments and is free to run", async () => {
  await using now = await shipped("now");
  const [tool] = now.tools.list();
  assert.deepEqual(now.notices, []);
  assert.deepEqual(tool?.parameters.properties, {});
  assert.deepEqual([tool?.effect, tool?.confirm], ["read", "auto"]);
});
