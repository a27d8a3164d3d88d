// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How deeply a schema may be nested: whoever walks one does so without looking at its depth.

const most = 100;

/** True for a value that is nested more deeply than any schema of use. */
export function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
