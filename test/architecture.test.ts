// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Holds the table of rooms and the house rules, and shows that the checks fail on what breaks them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { type Fault, type House, judgeForm, judgeImports, judgeTexts } from "./support/judge.ts";
import { openCompiler, readSources, readTexts } from "./support/sources.ts";

const root = dirname(import.meta.dirname);

const below = ["process", "download", "toml", "protocol", "model", "tools", "history"];

/** Who may import whom. Add a room here first, with what it is for in AGENTS.md. */
const house: House = {
  leaves: ["src/message.ts", "src/errors.ts", "src/paths.ts"],
  rooms: {
    process: {},
    download: {},
    toml: { packages: ["toml-eslint-parser"] },
    protocol: {},
    model: { rooms: ["process", "download"], packages: ["eventsource-parser"] },
    tools: {
      rooms: ["process", "toml"],
      packages: ["@cfworker/json-schema", "@modelcontextprotocol/client"],
    },
    history: { alone: ["node:sqlite"] },
    conversation: { rooms: ["model", "tools", "history"], packages: ["fasttext.wasm.js"] },
    config: { rooms: ["toml"], types: ["model", "tools", "history"] },
    daemon: { rooms: [...below, "conversation", "config"] },
    client: { rooms: ["protocol"] },
    cli: { rooms: ["client", "protocol", "process", "chat"], packages: ["commander"] },
    chat: { rooms: ["client", "protocol"], packages: ["marked"] },
  },
  doors: {
    "src/cli/daemon.ts": ["src/daemon/start.ts"],
    // For the version.
    "src/cli/main.ts": ["package.json"],
    "src/daemon/start.ts": ["package.json"],
  },
  joiner: "src/daemon/start.ts",
  joined: ["model", "tools", "history", "conversation", "config"],
  // In the process of a plugin.
  loaders: ["src/tools/plugin/host.ts"],
};

const compiler = openCompiler();
after(() => compiler.close());
const sources = readSources(compiler, root);

const folders = ["src", "test", "live", "bench", "examples", "docs", "bin", ".ci"];
const shown = (faults: readonly Fault[]) =>
  faults.map(({ path, line, reason }) => `${path}:${line}: ${reason}`);

test("every import follows the table of rooms", () => {
  assert.deepEqual(shown(judgeImports(house, sources)), []);
});

test("every source file keeps the house rules of form", () => {
  assert.deepEqual(shown(judgeForm(sources)), []);
});

test("no text holds an em dash, a home path or a lint escape", () => {
  const texts = readTexts(root, folders).filter(({ path }) => !path.startsWith("LICENSE"));
  assert.deepEqual(shown(judgeTexts(texts)), []);
});

test("every dependency belongs to a room", () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.ok(typeof manifest === "object" && manifest !== null && "dependencies" in manifest);
  const owned = Object.values(house.rooms).flatMap((room) => room.packages ?? []);
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}).sort(), owned.sort());
});

test("the lock file names no address, so that any registry mirror serves it", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  assert.equal(lock.includes('"resolved": "http'), false);
});

const head = [
  "// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later",
  "// A sample that a check is tried on.",
];

/** Judges a project of these files; a file is given without its two first lines unless `bare`. */
function judge(files: Record<string, string>, { bare = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "house-"));
  try {
    const options = { noLib: true, types: [], allowImportingTsExtensions: true, noEmit: true };
    const config = {
      compilerOptions: { ...options, module: "nodenext" },
      include: ["src", "test"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    for (const [path, body] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bare ? body : [...head, body, ""].join("\n"));
    }
    const samples = readSources(compiler, folder);
    return { imports: shown(judgeImports(house, samples)), form: shown(judgeForm(samples)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const forbidden: [title: string, path: string, body: string, reason: RegExp][] = [
  [
    "static",
    "src/model/a.ts",
    'import { b } from "../tools/b.ts";',
    /"model" may not import "tools"/,
  ],
  ["type", "src/model/a.ts", 'import type { B } from "../tools/b.ts";', /"model" may not import/],
  [
    "inline type",
    "src/history/a.ts",
    'let a: import("../model/b.ts").B;',
    /"history" may not import/,
  ],
  [
    "dynamic",
    "src/history/a.ts",
    'await import("../model/b.ts");',
    /"history" may not import "model"/,
  ],
  [
    "template",
    "src/history/a.ts",
    "await import(`../model/b.ts`);",
    /"history" may not import "model"/,
  ],
  ["re-exported", "src/tools/a.ts", 'export { b } from "../model/b.ts";', /"tools" may not import/],
  [
    "side effect",
    "src/client/a.ts",
    'import "../daemon/b.ts";',
    /"client" may not import "daemon"/,
  ],
  ["computed", "src/tools/a.ts", "const b = (c: string) => import(c);", /computed/],
  ["required", "src/model/a.ts", 'const b = require("../tools/b.ts");', /require gets round/],
  ["import equals", "src/model/a.ts", 'import b = require("../tools/b.ts");', /computed/],
  [
    "value instead of a type",
    "src/config/a.ts",
    'import { b } from "../model/b.ts";',
    /takes only types/,
  ],
  [
    "leaf to room",
    "src/paths.ts",
    'import { b } from "./model/b.ts";',
    /a leaf imports only leaves/,
  ],
  ["test", "src/model/a.ts", 'import { b } from "../../test/b.ts";', /outside src/],
  ["unknown room", "src/canteen/a.ts", "", /"canteen" is no room/],
  ["loose file", "src/loose.ts", "", /not a leaf/],
  [
    "foreign package",
    "src/chat/a.ts",
    'import { Command } from "commander";',
    /commander does not belong/,
  ],
  ["unlisted package", "src/tools/a.ts", 'import x from "left-pad/x";', /left-pad does not belong/],
  [
    "database",
    "src/daemon/a.ts",
    'import { DatabaseSync } from "node:sqlite";',
    /only the room "history"/,
  ],
  ["bare built-in", "src/daemon/a.ts", 'import { join } from "path";', /write node:path/],
  [
    "daemon in the client's process",
    "src/cli/ask.ts",
    'import "../daemon/start.ts";',
    /"cli" may not/,
  ],
  ["other daemon file", "src/cli/daemon.ts", 'import "../daemon/socket.ts";', /"cli" may not/],
  [
    "a built-in by call",
    "src/daemon/a.ts",
    'const { DatabaseSync } = process.getBuiltinModule("node:sqlite");',
    /only the room "history"/,
  ],
  [
    "join outside start.ts",
    "src/daemon/socket.ts",
    'import { a } from "../model/a.ts"; import { b } from "../history/b.ts";',
    /only src\/daemon\/start.ts joins rooms, this joins model and history/,
  ],
];

for (const [title, path, body, reason] of forbidden) {
  test(`a forbidden import is found: ${title}`, () => {
    const { imports } = judge({ [path]: body });
    assert.equal(imports.length, 1, imports.join("\n"));
    assert.match(imports[0] ?? "", reason);
    assert.ok(imports[0]?.startsWith(`${path}:`));
  });
}

test("imports that the table allows are let through, and text that looks like one is no import", () => {
  const found = judge({
    "src/cli/daemon.ts": 'const start = () => import("../daemon/start.ts");',
    "src/daemon/start.ts":
      'import { a } from "../model/a.ts"; import { b } from "../history/b.ts";',
    "src/daemon/wire.ts":
      'import type { A } from "../model/a.ts"; import { b } from "../tools/b.ts";',
    "src/config/a.ts": 'import type { A } from "../model/a.ts"; import { b } from "../toml/b.ts";',
    "src/history/a.ts":
      'import { DatabaseSync } from "node:sqlite"; import { E } from "../errors.ts";',
    "src/model/a.ts": [
      'import { createParser } from "eventsource-parser/stream";',
      '// import { b } from "../tools/b.ts";',
      'const quoted = \'import { b } from "../tools/b.ts"\'; const pattern = /import ("x")`/;',
      `const inside = \`\${1 + 2} import("../tools/b.ts") \${quoted}\`;`,
    ].join("\n"),
  });
  assert.deepEqual(found, { imports: [], form: [] });
});

const deep = "src/model/a.ts";
const badForm: [title: string, path: string, text: string, reason: RegExp][] = [
  ["no licence line", deep, "// What it is for, said here.\n", /:1: the first line is not/],
  ["no purpose line", deep, `${head[0]}\nexport const a = 1;\n`, /:2: no line that says/],
  ["over 300 lines", deep, `${head.join("\n")}\n${"\n".repeat(299)}`, /301 lines/],
  ["a banned folder", "src/model/utils/a.ts", head.join("\n"), /"utils" names no subject/],
  ["a banned part of a name", "src/model/lane-manager.ts", head.join("\n"), /"manager" names no/],
  ["export all", deep, [...head, 'export * from "./b.ts";'].join("\n"), /:3: export \* hides/],
  ["export all by name", deep, [...head, 'export * as b from "./b.ts";'].join("\n"), /:3: export/],
  ["an empty catch", deep, [...head, "try { a(); } catch { /* no */ }"].join("\n"), /:3: an empty/],
  ["a sleep", "test/a.test.ts", [...head, "setTimeout(go, 50);"].join("\n"), /:3: setTimeout is/],
  [
    "an imported sleep",
    "test/a.test.ts",
    [...head, 'import { setTimeout as nap } from "node:timers/promises";'].join("\n"),
    /:3: .* is a sleep/,
  ],
  ["a skipped test", "test/a.test.ts", [...head, 'test.skip("a", go);'].join("\n"), /:3: a test/],
  [
    "a test by itself",
    "test/a.test.ts",
    [...head, 'test("a", { only: true }, go);'].join("\n"),
    /:3: a test that is skipped/,
  ],
];

for (const [title, path, text, reason] of badForm) {
  test(`a fault of form is found: ${title}`, () => {
    const { form } = judge({ [path]: text }, { bare: true });
    assert.match(form.join("\n"), reason);
  });
}

test("a banned text is found with its line", () => {
  const text = ["fine", "a \u2014 b", `${"/ro"}ot/x`, `// @ts-${"ignore"}`].join("\n");
  const lines = judgeTexts([{ path: "README.md", text }]).map(({ line, reason }) => [line, reason]);
  assert.deepEqual(lines, [
    [2, "an em dash"],
    [3, "a home path"],
    [4, "a lint or type escape"],
  ]);
});
