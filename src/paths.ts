// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where things are: one rule for the daemon and every client (XDG Base Directory Specification 0.8).
import { lstatSync, mkdirSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { ReadableError } from "./errors.ts";

const name = "desktop-assistant";
type Environment = Record<string, string | undefined>;

/** sockaddr_un.sun_path has 108 bytes with its closing NUL (unix(7)). */
const longestSocketPath = 107;

/** An XDG variable counts only when it holds an absolute path. */
function xdg(env: Environment, variable: string, fallback: string): string {
  const value = env[variable];
  if (value && isAbsolute(value)) return value;
  return join(env.HOME || homedir(), fallback);
}

const configFolder = (env: Environment = process.env) =>
  join(xdg(env, "XDG_CONFIG_HOME", ".config"), name);
export const dataFolder = (env: Environment = process.env) =>
  join(xdg(env, "XDG_DATA_HOME", ".local/share"), name);
const stateFolder = (env: Environment = process.env) =>
  join(xdg(env, "XDG_STATE_HOME", ".local/state"), name);
/** Where the engine keeps what it has read, as long as nobody deletes it. */
export const engineCache = (env: Environment = process.env) =>
  join(xdg(env, "XDG_CACHE_HOME", ".cache"), name, "engine");
export const configFile = (env: Environment = process.env) =>
  join(configFolder(env), "config.toml");
export const toolsFolder = (env: Environment = process.env) => join(configFolder(env), "tools");
export const historyFile = (env: Environment = process.env) => join(dataFolder(env), "history.db");
export const stateFile = (env: Environment = process.env) => join(stateFolder(env), "state.json");

function ownedByMe(folder: string, uid: number): boolean {
  const seen = lstatSync(folder, { throwIfNoEntry: false });
  return seen?.isDirectory() === true && seen.uid === uid;
}

const userId = () => process.getuid?.() ?? userInfo().uid;

/**
 * The folder of the socket and the log: XDG_RUNTIME_DIR, else /run/user/UID (`usual`) if it is ours,
 * else a folder of our own (0700) below the system's temporary folder. Throws ReadableError
 * "runtime_dir" when somebody else holds that name, and makes the folder when it is missing.
 */
export function runtimeFolder(
  env: Environment = process.env,
  usual = `/run/user/${userId()}`,
): string {
  const given = env.XDG_RUNTIME_DIR;
  if (given && isAbsolute(given)) return given;
  const uid = userId();
  if (ownedByMe(usual, uid)) return usual;
  const own = join(env.TMPDIR || tmpdir(), `${name}-${uid}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  if (!ownedByMe(own, uid) || (lstatSync(own).mode & 0o077) !== 0) {
    throw new ReadableError("runtime_dir", `${own} is not a private folder of yours`, {
      hint: "Remove it, or set XDG_RUNTIME_DIR to a folder that only you can enter (mode 0700).",
    });
  }
  return own;
}

/** The socket's path; throws ReadableError "socket_path" when the system could not hold it whole. */
export function socketPath(env: Environment = process.env): string {
  const path = join(runtimeFolder(env), `${name}.sock`);
  const length = Buffer.byteLength(path);
  if (length > longestSocketPath) {
    throw new ReadableError(
      "socket_path",
      `the socket path is ${length} bytes long, the limit is ${longestSocketPath}: ${path}`,
      {
        hint: "Set XDG_RUNTIME_DIR to a shorter folder.",
      },
    );
  }
  return path;
}

export const logFile = (env: Environment = process.env) => join(runtimeFolder(env), `${name}.log`);
export const pidFile = (env: Environment = process.env) => join(runtimeFolder(env), `${name}.pid`);
