// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Cleaning the words of a deleted conversation out of a big file, step by step.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { cleaning, deleteConversation, deleteInCopies } from "../../src/history/forget.ts";
import { openHistory } from "../../src/history/open.ts";
import { assertSound, filesWith, query, temporaryFolder } from "../support/history.ts";
import { makeOldHistory } from "../support/old-history.ts";

test("steps leave no word of a deleted conversation, in the file and in its copy", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const conversations = Array.from({ length: 60 }, (_, c) => ({
    title: `Talk ${c}`,
    created: c,
    updated: c,
    turns: Array.from({ length: 20 }, (_, n) => ({
      user: `secret${c}x${n}`,
      reply: Array.from({ length: 60 }, (_, w) => `word${(w * 37 + n * 11 + c) % 997}`).join(" "),
    })),
  }));
  makeOldHistory(path, conversations);
  openHistory(path, { onNotice: () => assert.fail() }).close();
  const db = new DatabaseSync(path);
  t.after(() => db.close());
  db.exec("PRAGMA secure_delete = ON");
  const gone = deleteConversation(db, 31);
  assert.deepEqual(gone, { id: 31, created: 30 });
  deleteInCopies(db, path, { id: 31, created: 30 });
  assert.equal(query(path, "SELECT * FROM chores").length, 2);

  // Ended after its first step, it begins again, as after the end of a process.
  const first = cleaning(db, path, false);
  assert.equal(first.next().done, false);
  first.return(undefined);
  let steps = 0;
  for (const _ of cleaning(db, path, false)) steps += 1;
  assert.ok(steps > 2, `${steps}`);
  assert.deepEqual(filesWith(folder, "secret30x"), []);
  assert.equal(filesWith(folder, "secret31x").length, 2);
  assert.deepEqual(query(path, "SELECT * FROM chores"), []);
  assertSound(path);
});
