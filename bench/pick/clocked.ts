// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon with a clock that was set: begins at the local time of its argument and runs on from there.
import { startDaemon } from "../../src/daemon/start.ts";

const begun = Date.now();
const set = new Date(process.argv[2] ?? "").getTime();
const { closed } = await startDaemon({ now: () => new Date(set + Date.now() - begun) });
// The benchmark is gone, however it ended.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.send?.("listening");
process.exit(await closed);
