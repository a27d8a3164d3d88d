// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The log: one line on standard error for each thing worth knowing, never with words of the person.

let deaf = false;
/** Whoever read the log may be gone: the daemon goes on, and ends as always. */
function hearNoFault(): void {
  if (!deaf) process.stderr.on("error", () => undefined);
  deaf = true;
}

/** "2026-11-30 10:45:12 text"; newlines of a stack are kept, indented. */
export function log(text: string): void {
  hearNoFault();
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const time = local.toISOString().slice(0, 19).replace("T", " ");
  process.stderr.write(`${time} ${text.replaceAll("\n", "\n  ")}\n`);
}
