// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stands for the daemon in a test that kills it: keeps one server and says when it is ready.
import { ManagedServer } from "../../src/process/server.ts";
import { placeFake, statusOf } from "../support/fake-engine.ts";

const [folder = "", port = ""] = process.argv.slice(2);
const server = new ManagedServer({
  name: "the fake server",
  launch: async () => ({ argv: [placeFake(folder), "--port", port], env: process.env }),
  probe: async () => ((await statusOf(`http://127.0.0.1:${port}/health`)) ? "ready" : "silent"),
});
await server.ready(AbortSignal.timeout(60_000));
console.log("ready");
process.stdin.resume();
