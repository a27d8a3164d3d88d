// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands about models: which there are, which one answers, fetching and removing.
import { booleanField, neededString } from "../protocol/commands.ts";
import { type Handler, ok, toSender } from "./answers.ts";

export const modelRequests: Record<string, Handler> = {
  async models({ daemon }) {
    return toSender("models", { items: await daemon.backend.models() });
  },
  async use({ daemon, fields }) {
    await daemon.backend.use(neededString(fields, "model"), { load: booleanField(fields, "load") });
    return ok();
  },
  fetch({ daemon, fields }) {
    return ok({ job: daemon.backend.fetch(neededString(fields, "model")) });
  },
  async remove({ daemon, fields }) {
    await daemon.backend.remove(neededString(fields, "model"));
    return ok();
  },
  cancel({ daemon, fields }) {
    daemon.backend.cancel(neededString(fields, "job"));
    return ok();
  },
};
