// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The socket itself: its name, its modes, who else may hold it, and clients that do not behave.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { listen } from "../../src/daemon/socket.ts";
import { type Home, makeHome, root, startDaemon, TestClient } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

/** Runs a daemon that is expected to give up, and tells what it said. */
function refused(home: Home) {
  const ran = spawnSync(join(root, "bin/desktop-assistant"), ["daemon"], {
    env: home.env,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status: ran.status, said: ran.stderr };
}

test("the socket is 0600, and is gone after the end", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.config('llm = "http://127.0.0.1:9/v1"\n');
  const daemon = await startDaemon(home);
  assert.equal(statSync(home.socket).mode & 0o777, 0o600);
  assert.equal(await daemon.stop(), 0);
  assert.equal(existsSync(home.socket), false);
});

test("what starts while the socket is being opened gets the daemon's own umask", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const own = process.umask();
  const seen = new Set<number>();
  const listening = listen(home.socket, () => undefined);
  const look = () => seen.add(process.umask());
  const looking = (async () => {
    for (let turn = 0; turn < 50; turn++) {
      await null;
      look();
    }
  })();
  const server = await listening;
  t.after(() => server.close());
  await looking;
  assert.deepEqual([...seen], [own]);
  assert.equal(statSync(home.socket).mode & 0o777, 0o600);
});

test("a second daemon says that one runs, and the first goes on", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.config('llm = "http://127.0.0.1:9/v1"\n');
  await using daemon = await startDaemon(home);
  const { status, said } = refused(home);
  assert.equal(status, 1);
  assert.match(said, /another daemon serves/);
  assert.equal((await daemon.connect()).hello.type, "hello");
});

test("a socket left behind by kill -9 is replaced (P2)", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.config('llm = "http://127.0.0.1:9/v1"\n');
  const killed = await startDaemon(home);
  killed.child.kill("SIGKILL");
  await killed.exited;
  assert.ok(existsSync(home.socket));
  await using daemon = await startDaemon(home);
  assert.equal((await daemon.connect()).hello.state, "idle");
});

test("a socket that somebody else serves is left alone", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  const other = createServer(() => undefined);
  await new Promise<void>((resolve) => other.listen(home.socket, resolve));
  t.after(() => other.close());
  assert.match(refused(home).said, /another daemon serves/);
  assert.ok(existsSync(home.socket));
});

test("a file of the socket's name is not touched", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  writeFileSync(home.socket, "mine");
  const { status, said } = refused(home);
  assert.equal(status, 1);
  assert.match(said, /is not a socket/);
  assert.ok(existsSync(home.socket));
});

test("a path over 107 bytes stops the start with its length and the limit (P3)", (t) => {
  const home = makeHome();
  t.after(home.remove);
  const long = join(home.folder, "x".repeat(100));
  mkdirSync(long, { mode: 0o700 });
  home.env.XDG_RUNTIME_DIR = long;
  const { status, said } = refused(home);
  assert.equal(status, 1);
  assert.match(
    said,
    new RegExp(`${Buffer.byteLength(join(long, "desktop-assistant.sock"))} bytes.*107`),
  );
});

test("a missing runtime folder is named", (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.env.XDG_RUNTIME_DIR = join(home.folder, "missing");
  assert.match(refused(home).said, /there is no folder .*missing/);
});

test("the 65th client gets one error and a close; the others stay", async (t) => {
  const home = makeHome();
  t.after(home.remove);
  home.config('llm = "http://127.0.0.1:9/v1"\n');
  await using daemon = await startDaemon(home);
  const clients = await Promise.all(Array.from({ length: 64 }, () => daemon.connect()));
  const extra = new TestClient(home.socket);
  const line = await extra.next(() => true);
  assert.match(String(line.message), /too many clients/);
  await assert.rejects(
    extra.next(() => true),
    /closed/,
  );
  await extra.end();
  await clients[0]?.end();
  clients[1]?.send({ type: "list" });
  assert.equal((await clients[1]?.next("conversations"))?.type, "conversations");
});

test("a client that does not read is dropped, and nobody waits for it (P5)", async (t) => {
  const word = "x".repeat(1000);
  let reader: TestClient | undefined;
  const finished = Promise.withResolvers<void>();
  const script: Script = async (reply) => {
    for (let sent = 0; sent < 4000; sent += 50) {
      reply.text(...Array<string>(50).fill(word));
      // No faster than the one that does read.
      await reader?.next((line) => line.type === "token");
      while (reader && reader.lines.length < sent) await reader.next(() => true);
    }
    finished.resolve();
    reply.finish().done();
  };
  const { daemon, end } = await start({ script });
  t.after(end);
  const stalled = await daemon.connect();
  stalled.socket.pause();
  reader = await daemon.connect();
  reader.send({ type: "ask", text: "flood" });
  await finished.promise;
  await reader.next("done");
  assert.equal(reader.lines.filter((line) => line.type === "token").length, 4000);
  await daemon.logged("dropped");
});

test("clients that hang up early, in any state, do no harm", async (t) => {
  const { daemon, home, end } = await start();
  t.after(end);
  for (const text of [
    "",
    "{",
    '{"type":"ask","text":"q"}\n',
    '{"type":"list"}\n{"type"',
    "\n\n\n",
  ]) {
    const client = new TestClient(home.socket);
    client.socket.write(text);
    await client.end();
  }
  const client = await daemon.connect();
  client.send({ type: "new" }, { type: "ask", text: "still there?" });
  await client.next((line) => line.type === "user" && line.text === "still there?");
  assert.ok((await client.next("done")).id);
});
