// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model on this machine for tests of what is asked of one: it answers as the test says.
import type { Served } from "../../src/model/model.ts";

export const servedBy = (complete: Served["complete"], about: Partial<Served> = {}): Served => ({
  url: "http://localhost/v1",
  model: "m",
  toolsMode: { strategy: "native", why: "" },
  contextTokens: 0,
  local: true,
  llama: false,
  lacksBeginning: () => false,
  complete,
  ...about,
});
