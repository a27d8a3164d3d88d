// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A parent with two processes in its own session, of which one has the file of the mark open.
import { spawn } from "node:child_process";
import { openHeld } from "../../src/process/held.ts";
import { startWatchdog } from "../../src/process/watchdog.ts";

const [, , mark = "", heir = "", other = ""] = process.argv;
const file = openHeld(mark);
startWatchdog(`${mark}:`, () => undefined);
spawn("sh", ["-c", heir], { stdio: ["ignore", "ignore", "ignore", "ignore", file] });
spawn("sh", ["-c", other], { stdio: "ignore" });
// Ends by a signal only.
process.stdin.resume();
