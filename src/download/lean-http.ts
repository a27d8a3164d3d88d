// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Node's HTTP client without what its ES module brings along.

/**
 * `import … from "node:http"` reads every export of that module, its WebSocket too, and so loads a
 * second HTTP client: 16 MB and 60 ms measured on Node 26. The built-in itself does not.
 */
export const http = process.getBuiltinModule("node:http");
export const https = process.getBuiltinModule("node:https");
