// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Text in a Markdown fence that it cannot end by itself.

export function fenced(text: string): string {
  let fence = "```";
  while (text.includes(fence)) fence += "`";
  return `${fence}\n${text}\n${fence}`;
}
