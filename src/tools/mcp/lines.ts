// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Cuts a server's output into lines, and holds no more of one than a message may have.

const newline = 0x0a;

/**
 * `onLine` gets each whole line without its end; `onTooLong` is called once, and nothing after it.
 */
export function lineCutter(options: {
  most: number;
  onLine: (line: Buffer) => void;
  onTooLong: () => void;
}): (bytes: Buffer) => void {
  const { most, onLine, onTooLong } = options;
  let parts: Buffer[] = [];
  let size = 0;
  let over = false;
  return (bytes) => {
    let from = 0;
    while (!over) {
      const at = bytes.indexOf(newline, from);
      const part = bytes.subarray(from, at === -1 ? bytes.length : at);
      size += part.length;
      if (size > most) {
        over = true;
        parts = [];
        onTooLong();
        return;
      }
      if (part.length > 0) parts.push(part);
      if (at === -1) return;
      const line = Buffer.concat(parts);
      parts = [];
      size = 0;
      from = at + 1;
      onLine(line);
    }
  };
}
