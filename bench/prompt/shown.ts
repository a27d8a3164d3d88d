// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One conversation as the server was sent it, each prompt as what it changes in the one before.
import { askQuestion, newConversation } from "../pick/person.ts";
import type { Desk, Outcome } from "./desk.ts";
import { diffLines } from "./diff.ts";
import { readsAhead, rendered } from "./rendered.ts";

const questions = ["Tell me about the sea.", "What is in my calendar tomorrow?", "Thanks."];

export async function shownTalk(desk: Desk): Promise<Outcome> {
  const { client, requests, post, mode } = desk;
  await desk.settled();
  await newConversation(client);
  for (const question of questions) {
    if (desk.signal.aborted) break;
    await askQuestion(client, question);
    await desk.settled();
  }
  const prompts = [];
  for (const [at, one] of requests.entries()) {
    const what = readsAhead(one) ? "read ahead" : one.schema ? "a choice" : "an answer";
    const title = `${mode} ${at + 1}, ${what}, ${one.read ?? "?"} of ${one.prompt ?? "?"} tokens read`;
    prompts.push({ title, text: (await rendered(post, one.body)).text });
  }
  const lines = diffLines(prompts);
  for (const line of lines) console.log(line);
  return { rows: [], details: lines };
}
