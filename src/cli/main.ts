// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where the program begins. The daemon, which stays, is started without the commands: 15 MB less.
import manifest from "../../package.json" with { type: "json" };

if (process.argv[2] === "daemon" && process.argv.length === 3) {
  const { runDaemon } = await import("./daemon.ts");
  await runDaemon();
} else {
  const { runCommand } = await import("./commands.ts");
  await runCommand(manifest.version);
}
