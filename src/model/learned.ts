// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the program finds out by itself, kept wherever the caller keeps it.

/** `get` may return anything: the file that it comes from can be edited. */
export type Learned = { get(): unknown; set(value: unknown): void };

/** Forgotten when the program ends. */
export function inMemory(): Learned {
  let held: unknown;
  return {
    get: () => held,
    set: (value) => {
      held = value;
    },
  };
}
