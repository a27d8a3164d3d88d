// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Another process that keeps all cores busy, for as long as it is wanted.
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, Worker } from "node:worker_threads";

/** Resolves with what `use` gives; nobody is kept busy then. */
export async function whileBusy<T>(use: () => Promise<T>): Promise<T> {
  const child = fork(import.meta.filename, { stdio: "ignore" });
  const exited = once(child, "exit");
  try {
    const gone = exited.then(() => Promise.reject(new Error("nothing keeps the cores busy")));
    await Promise.race([once(child, "message"), gone]);
    return await use();
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

if (!isMainThread) for (;;);
else if (process.argv[1] === import.meta.filename) {
  // The benchmark is gone, however it ended.
  process.once("disconnect", () => process.exit());
  const all = Array.from(
    { length: availableParallelism() },
    () => new Worker(import.meta.filename),
  );
  await Promise.all(all.map((worker) => once(worker, "online")));
  process.send?.("busy");
}
