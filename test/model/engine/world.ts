// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A small world for the engine: a hub, a release page, a package index and a data folder of its own.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job, Notice } from "../../../src/message.ts";
import type { EngineState } from "../../../src/model/embedded.ts";
import type { CatalogModel } from "../../../src/model/engine/catalog.ts";
import type { EngineSettings } from "../../../src/model/engine/command.ts";
import { Engine, type EngineOptions } from "../../../src/model/engine/engine.ts";
import type { ProgramSource } from "../../../src/model/engine/program.ts";
import { fakeScript, placeFake, startsIn } from "../../support/fake-engine.ts";
import { type Behaviour, sha256, someBytes, startHub } from "../../support/hub.ts";

export const bigFile = someBytes(200_000);
export const smallFile = someBytes(50_000).subarray(7);

export const settings: EngineSettings = {
  command: null,
  threads: null,
  context: null,
  gpuLayers: null,
  batch: null,
};

const model = (name: string, file: Uint8Array, rest: Partial<CatalogModel>): CatalogModel => ({
  name,
  size: file.length,
  sha256: sha256(file),
  licence: "test",
  goodFor: "tests",
  memory: 1_000_000_000,
  threads: 1,
  context: 32_768,
  automatic: true,
  toolsMode: "native",
  sources: [{ kind: "hub", path: `/${name}` }],
  ...rest,
});

const parts = ["stand-in-model==1.0"];
export const models: readonly CatalogModel[] = [
  model("big", bigFile, {}),
  model("small", smallFile, {
    sources: [
      { kind: "hub", path: "/small" },
      { kind: "packages", requirements: parts, suffix: ".bin" },
    ],
  }),
  model("toy", bigFile, { automatic: false }),
];

/** A release archive as the upstream project packs it, with the fake llama-server in it. */
export async function makeRelease(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "da-release-"));
  try {
    mkdirSync(join(folder, "llama-b1"));
    writeFileSync(join(folder, "llama-b1", "llama-server"), fakeScript, { mode: 0o755 });
    writeFileSync(join(folder, "llama-b1", "libllama.so"), "");
    const archive = join(folder, "release.tar.gz");
    await promisify(execFile)("tar", ["-czf", archive, "-C", folder, "llama-b1"]);
    return await readFile(archive);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const releaseSource = (archive: Uint8Array): ProgramSource => ({
  kind: "release",
  cpu: process.arch,
  gpu: null,
  path: "/b1/llama.tar.gz",
  size: archive.length,
  sha256: sha256(archive),
});

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** `on` puts model files into the folder, `program` a fake llama-server onto PATH. */
export async function makeWorld(
  options: {
    on?: Record<string, Uint8Array>;
    program?: boolean;
    env?: Record<string, string>;
    behave?: Behaviour;
    files?: Record<string, Uint8Array>;
    engine?: Partial<EngineOptions>;
    sources?: EngineOptions["sources"];
    /** Of the engine; gets the world's folder. */
    cache?: (folder: string) => string | undefined;
  } = {},
) {
  const { on = {}, program = true, behave, files } = options;
  const hub = await startHub(files ?? { "/big": bigFile, "/small": smallFile, "/toy": bigFile }, {
    ...(behave ? { behave } : {}),
  });
  const folder = await mkdtemp(join(tmpdir(), "da-engine-"));
  const path = join(folder, "bin");
  const log = join(folder, "starts");
  mkdirSync(path);
  mkdirSync(join(folder, "models"));
  if (program) placeFake(path);
  for (const [name, bytes] of Object.entries(on))
    writeFileSync(join(folder, "models", `${name}.gguf`), bytes);
  // Only what the fake and python need; a llama-server of this machine must not be found.
  const inherited = (process.env.PATH ?? "").split(":").filter((entry) => entry !== "");
  const env = { PATH: [path, ...inherited].join(":"), FAKE_LOG: log, ...options.env };
  const cache = options.cache?.(folder);
  const jobs: Job[] = [];
  const notices: Notice[] = [];
  const states: EngineState[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const look of [...watchers]) look();
  };
  const engine = new Engine({
    config: settings,
    folder,
    env,
    wanted: null,
    onJob: (job) => {
      jobs.push(job);
      changed();
    },
    onNotice: (notice) => notices.push(notice),
    onState: (state) => {
      states.push(state);
      changed();
    },
    ...(cache !== undefined && { cache }),
    ...options.engine,
    sources: {
      hub: hub.url,
      releases: hub.url,
      models,
      programs: [],
      machine: { memory: 16e9, gpuMemory: 0, threads: 2 },
      pauses: [0, 0, 0, 0],
      ...options.sources,
    },
  });
  return {
    engine,
    hub,
    folder,
    path,
    jobs,
    notices,
    states,
    file: (name: string) => join(folder, "models", `${name}.gguf`),
    starts: () => startsIn(log),
    /** Resolves when a change makes it true. */
    when: (true_: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!true_()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      await engine.close();
      await hub[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
