// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Makes tiny real wheels and serves them as a package index that the real pip downloads from.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Behaviour, sha256, startHub } from "./hub.ts";

const make = `
import base64, json, sys, zipfile
path, module, name, version = sys.argv[1:5]
members = json.load(sys.stdin)
info = f"{module}-{version}.dist-info"
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box:
    for member, bytes in members.items():
        box.writestr(member, base64.b64decode(bytes))
    box.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    box.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    box.writestr(f"{info}/RECORD", "")
`;

/** The bytes of a wheel of `name` that holds `members` (path to content). */
export async function makeWheel(options: {
  name: string;
  version: string;
  members: Record<string, Uint8Array>;
}): Promise<Buffer> {
  const { name, version, members } = options;
  const folder = await mkdtemp(join(tmpdir(), "da-wheel-"));
  try {
    const path = join(folder, "made.whl");
    const coded = Object.entries(members).map(([path, bytes]) => [
      path,
      Buffer.from(bytes).toString("base64"),
    ]);
    const argv = ["-I", "-c", make, path, name.replaceAll("-", "_"), name, version];
    const python = promisify(execFile)("python3", argv);
    python.child.stdin?.end(JSON.stringify(Object.fromEntries(coded)));
    await python;
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A package index (PEP 503) over real wheels; `env` makes pip use it and nothing else. */
export async function startIndex(
  wheels: { name: string; version: string; bytes: Uint8Array }[],
  options: { behave?: Behaviour } = {},
) {
  const files: Record<string, Uint8Array> = {};
  for (const { name, version, bytes } of wheels) {
    const file = `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`;
    files[`/files/${file}`] = bytes;
    files[`/simple/${name}/`] = Buffer.from(
      `<!DOCTYPE html><a href="/files/${file}#sha256=${sha256(bytes)}">${file}</a>`,
    );
  }
  const hub = await startHub(files, {
    behave: (request, response, count) => {
      if (options.behave?.(request, response, count)) return true;
      const page = files[request.path];
      if (page === undefined || !request.path.startsWith("/simple/")) return false;
      response.writeHead(200, { "content-type": "text/html" }).end(page);
      return true;
    },
  });
  const { PIP_FIND_LINKS: _links, PIP_CERT: _cert, ...inherited } = process.env;
  const env = {
    ...inherited,
    PIP_INDEX_URL: `${hub.url}/simple`,
    PIP_CONFIG_FILE: "/dev/null",
    PIP_RETRIES: "0",
    NO_PROXY: "127.0.0.1",
  };
  return {
    ...hub,
    env,
    wheelRequests: () => hub.requests.filter((one) => one.path.startsWith("/files/")).length,
  };
}
