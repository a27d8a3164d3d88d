// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Answers that claim what no call did: found, and texts about sent mails and deleted lines left alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spokenSentences } from "../../src/conversation/claims/spoken.ts";
import { claims } from "../../src/conversation/claims.ts";
import * as fresh from "./answers/fresh.ts";
import { labelled } from "./answers/labelled.ts";

const nothing = { changed: false, sent: false, called: false };

function read(cases: string) {
  return cases
    .trim()
    .split("\n")
    .map((line) => {
      const [, called, sign, text = ""] = /^(c?)([+-]) (.+)$/.exec(line) ?? [];
      assert.ok(sign, line);
      const found = claims(text.replaceAll("\\n", "\n"), { ...nothing, called: called === "c" });
      return { line, claimed: sign === "+", found };
    });
}

test("there are as many answers that claim nothing as ones that claim something", () => {
  const cases = read(labelled);
  const claimed = cases.filter((one) => one.claimed).length;
  assert.ok(cases.length >= 120 && claimed >= 60 && cases.length - claimed >= 60);
});

for (const [name, cases] of Object.entries({ labelled, ...fresh })) {
  test(`no answer of the set "${name}" is taken for a claim that is none, and few claims are missed`, () => {
    const judged = read(cases);
    const alarms = judged.filter((one) => one.found && !one.claimed);
    assert.deepEqual(
      alarms.map((one) => one.line),
      [],
    );
    const missed = judged.filter((one) => !one.found && one.claimed);
    assert.ok(missed.length <= 1, missed.map((one) => one.line).join("\n"));
  });
}

test("a change backs every claim, a look or a sending what it can", () => {
  const done = "I've deleted the file report.txt.";
  const looked = "I checked your calendar: nothing.";
  const told = "I've sent the message to Anna.";
  const found = (answer: string, backing: Partial<typeof nothing>) =>
    claims(answer, { ...nothing, ...backing });
  for (const answer of [done, looked, told]) {
    assert.equal(found(answer, {}), true, answer);
    assert.equal(found(answer, { changed: true, called: true }), false, answer);
  }
  assert.equal(found(done, { called: true, sent: true }), true);
  assert.equal(found(looked, { called: true }), false);
  assert.equal(found(told, { called: true }), true);
  assert.equal(found(told, { called: true, sent: true }), false);
  for (const other of [
    "I've turned off the lights.",
    "Ho prenotato l'hotel.",
    "I booked the table.",
  ])
    assert.equal(found(other, { called: true, sent: true }), true, other);
});

test("what is quoted, drafted, code or a question is not said in one's own name", () => {
  const answer = `Here it is. "I've sent it." Is that right?
> I've sent it.
\`\`\`
I've sent it.
\`\`\`
---
I've sent it.
---
Don't 'I've sent it' me. That's all.

Dear Tom,
I've sent it.`;
  const said = spokenSentences(answer);
  assert.ok(
    said.every((sentence) => !sentence.includes("sent it")),
    said.join("\n"),
  );
  assert.ok(said.includes("here it is.") && said.includes("that's all."), said.join("\n"));
});

test("a long answer is judged by its two ends, at once", () => {
  const long = `${"i have the letter of a friend in the house, and ich habe die ".repeat(20_000)}.`;
  const before = process.cpuUsage();
  assert.equal(claims(long, nothing), false);
  assert.equal(claims(`${long}\nI've sent the mail.`, nothing), true);
  assert.equal(claims(`I've sent the mail.\n${long}`, nothing), true);
  assert.ok(process.cpuUsage(before).user < 500_000);
});
