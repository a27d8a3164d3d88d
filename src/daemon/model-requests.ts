// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands about models: which there are, which one answers, fetching and removing.
import { booleanField, neededString, stringField } from "../protocol/commands.ts";
import { type Handler, ok, toSender } from "./answers.ts";

export const modelRequests: Record<string, Handler> = {
  async models({ daemon, connection: { signal } }) {
    return toSender("models", { items: await daemon.backend.models(signal) });
  },
  async use({ daemon, connection: { signal }, fields }) {
    const load = booleanField(fields, "load");
    await daemon.backend.use(neededString(fields, "model"), { load, signal });
    return ok();
  },
  /** Without a model: whatever an answer still needs, told as jobs when they begin. */
  fetch({ daemon, fields }) {
    const model = stringField(fields, "model");
    if (model !== undefined) return ok({ job: daemon.backend.fetch(model) });
    daemon.backend.prepare();
    return ok({ job: null });
  },
  async remove({ daemon, fields }) {
    await daemon.backend.remove(neededString(fields, "model"));
    return ok();
  },
  async cancel({ daemon, fields }) {
    await daemon.backend.cancel(neededString(fields, "job"));
    return ok();
  },
};
