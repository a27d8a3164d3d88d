// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How each way of calling tools lists them in a prompt: what counts their bytes writes them too.
import { arrayEntry } from "./native.ts";
import { listLine } from "./plan/words.ts";
import type { Listing, Strategy } from "./strategy.ts";

export const listings: Readonly<Record<Strategy["name"], Listing>> = {
  native: { as: "array", entry: arrayEntry },
  plan: { as: "lines", entry: listLine },
};
