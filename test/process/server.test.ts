// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks the life of a managed server with a real process that loads, crashes, hangs and is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import { ManagedServer, type ServerOptions, type ServerState } from "../../src/process/server.ts";
import { placeFake, startsIn, statusOf } from "../support/fake-engine.ts";

const signal = AbortSignal.timeout(110_000);
const noPauses = [0, 0, 0, 0];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A managed fake server with a folder of its own, its states and its starts. */
async function manage(options: Partial<ServerOptions> & { env?: Record<string, string> } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "da-server-"));
  const log = join(folder, "starts");
  const { env = {}, ...rest } = options;
  let port = 0;
  const states: ServerState[] = [];
  const watchers = new Set<() => void>();
  const server = new ManagedServer({
    name: "the fake server",
    launch: async () => {
      port = await freePort();
      const argv = [placeFake(folder), "--port", String(port)];
      return { argv, env: { ...process.env, FAKE_LOG: log, ...env } };
    },
    probe: async () => {
      const status = await statusOf(`http://127.0.0.1:${port}/health`);
      return status === 200 ? "ready" : status === 503 ? "loading" : "silent";
    },
    onState: (state) => {
      states.push(state);
      for (const look of watchers) look();
    },
    pauses: noPauses,
    ...rest,
  });
  return {
    server,
    states,
    starts: () => startsIn(log),
    health: () => statusOf(`http://127.0.0.1:${port}/health`),
    killLast: () => process.kill(startsIn(log).at(-1)?.pid ?? 0, "SIGKILL"),
    /** Resolves the next time that the server says `state`. */
    next: (state: ServerState) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (states.at(-1) !== state) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

const failed = (thrown: unknown): true => {
  assert.ok(thrown instanceof ReadableError, String(thrown));
  assert.equal(thrown.code, "server_failed");
  return true;
};

test("callers at the same time share one process, which is ready only after it has loaded", async () => {
  await using at = await manage({ env: { FAKE_LOADING: "2" } });
  await Promise.all([at.server.ready(signal), at.server.ready(signal), at.server.ready(signal)]);
  assert.equal(at.starts().length, 1);
  assert.deepEqual(at.states, ["starting", "loading", "ready"]);
  assert.equal(await at.health(), 200);
});

test("a crash is followed by a new start, however often it comes, while somebody uses the server", async () => {
  await using at = await manage();
  await at.server.ready(signal);
  for (let crash = 0; crash < 8; crash += 1) {
    const lost = at.next("lost");
    at.killLast();
    await lost;
    await at.server.ready(signal);
    assert.equal(await at.health(), 200);
  }
  assert.equal(at.starts().length, 9);
});

test("who asks for a server that has just died waits for the next start", async () => {
  await using at = await manage();
  await at.server.ready(signal);
  for (let crash = 0; crash < 5; crash += 1) {
    // Its end is not told yet.
    at.killLast();
    await at.server.ready(signal);
    assert.equal(await at.health(), 200);
  }
  assert.equal(at.starts().length, 6);
});

test("a server that nobody uses is given up after five crashes in a row, and tried again when asked", async () => {
  await using at = await manage();
  await at.server.ready(signal);
  for (let crash = 1; crash < 5; crash += 1) {
    const again = at.next("ready");
    at.killLast();
    await again;
  }
  const lost = at.next("lost");
  at.killLast();
  await lost;
  assert.equal(at.starts().length, 5);
  await at.server.ready(signal);
  assert.equal(at.starts().length, 6);
});

test("a server that never starts is given up after five starts, with its last words", async () => {
  await using at = await manage({ env: { FAKE_FAILS: "1" } });
  await assert.rejects(at.server.ready(signal), (thrown) => {
    failed(thrown);
    assert.match(String(thrown), /status 1.*unable to load model/s);
    return true;
  });
  assert.equal(at.starts().length, 5);
  assert.equal(at.server.state, "lost");
  await assert.rejects(at.server.ready(signal), failed);
  assert.equal(at.starts().length, 6);
});

test("a program that is not there fails at once", async () => {
  await using at = await manage({
    launch: async () => ({ argv: ["/nonexistent/llama-server"], env: process.env }),
  });
  await assert.rejects(at.server.ready(signal), { code: "cannot_run" });
  assert.deepEqual(at.states, ["starting", "lost"]);
});

test("a process that says nothing at all is ended and counts as a crash", async () => {
  await using at = await manage({
    launch: async () => ({ argv: ["tail", "-f", "/dev/null"], env: process.env }),
    silentMs: 10,
  });
  await assert.rejects(at.server.ready(signal), failed);
});

test("who stops waiting is let go and the start goes on", async () => {
  await using at = await manage();
  const stop = new AbortController();
  const reason = new Error("stopped by a test");
  const waiting = at.server.ready(stop.signal);
  const ready = at.next("ready");
  stop.abort(reason);
  await assert.rejects(waiting, (thrown) => thrown === reason);
  await ready;
  assert.equal(at.starts().length, 1);
});

test("a question cuts the pause before the next start", async () => {
  await using at = await manage({ pauses: [3_600_000, 3_600_000, 3_600_000, 3_600_000] });
  await at.server.ready(signal);
  const lost = at.next("lost");
  at.killLast();
  await lost;
  await at.server.ready(signal);
  assert.equal(at.starts().length, 2);
});

test("closing ends the process, also one that ignores SIGTERM, and every wait", async () => {
  for (const env of [{}, { FAKE_STUBBORN: "1" }]) {
    const at = await manage({ env, stopMs: 50 });
    await at.server.ready(signal);
    await at.server.close();
    assert.equal(await at.health(), 0);
    assert.equal(at.server.state, "stopped");
    await assert.rejects(at.server.ready(signal), { code: "closed" });
    await at[Symbol.asyncDispose]();
  }
  const at = await manage({ env: { FAKE_LOADING: "1000000" } });
  const loading = at.next("loading");
  const waiting = assert.rejects(at.server.ready(signal), { code: "closed" });
  await loading;
  await at.server.close();
  await waiting;
  await at[Symbol.asyncDispose]();
});

test("closing during a pause does not wait for its end", async () => {
  const at = await manage({ pauses: [3_600_000] });
  await at.server.ready(signal);
  const lost = at.next("lost");
  at.killLast();
  await lost;
  await at[Symbol.asyncDispose]();
  assert.equal(at.server.state, "stopped");
});

test("the server ends with the daemon even at kill -9", async () => {
  const folder = await mkdtemp(join(tmpdir(), "da-server-"));
  const port = await freePort();
  const script = join(import.meta.dirname, "server-parent.ts");
  const parent = spawn(process.execPath, [script, folder, String(port)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    await once(parent.stdout, "data");
    // The system closes this connection when the server is gone.
    const watch = connect(port, "127.0.0.1");
    await once(watch, "connect");
    watch.on("error", () => watch.destroy());
    const ended = new Promise((resolve) => watch.once("close", resolve));
    parent.kill("SIGKILL");
    await ended;
    assert.equal(await statusOf(`http://127.0.0.1:${port}/health`), 0);
  } finally {
    parent.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
});
