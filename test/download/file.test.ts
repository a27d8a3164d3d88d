// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks what a download does when the line, the server, the file or the disk is not as it should be.
import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type DownloadOptions, download } from "../../src/download/file.ts";
import { ReadableError } from "../../src/errors.ts";
import { beginOnly, sha256, someBytes, startHub } from "../support/hub.ts";

const file = someBytes(300_000);
const whole = { size: file.length, sha256: sha256(file) };
const signal = AbortSignal.timeout(60_000);

async function place() {
  const folder = await mkdtemp(join(tmpdir(), "da-download-"));
  const to = join(folder, "model.gguf");
  return {
    folder,
    to,
    partial: `${to}.partial`,
    names: async () => (await readdir(folder)).sort(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const code = (wanted: string) => (thrown: unknown) => {
  assert.ok(thrown instanceof ReadableError, String(thrown));
  assert.equal(thrown.code, wanted);
  return true;
};

/** An address where nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 1}/model`;
}

test("a whole file gets its name and its progress reaches the end", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  const seen: [number, number][] = [];
  await download({
    urls: [`${hub.url}/model`],
    to: at.to,
    ...whole,
    signal,
    onProgress: (done, total) => seen.push([done, total]),
  });
  assert.deepEqual(readFileSync(at.to), file);
  assert.deepEqual(await at.names(), ["model.gguf"]);
  assert.deepEqual(seen[0], [0, file.length]);
  assert.deepEqual(seen.at(-1), [file.length, file.length]);
});

test("a cut is mended by asking for the rest only", async () => {
  let cut: (() => void) | undefined;
  await using hub = await startHub(
    { "/model": file },
    {
      behave: (_, response, count) => {
        if (count > 1) return false;
        cut = () => response.destroy();
        return beginOnly(response, file, 100_000);
      },
    },
  );
  await using at = await place();
  const onProgress = (done: number) => {
    if (done === 100_000) cut?.();
  };
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal, onProgress });
  assert.deepEqual(readFileSync(at.to), file);
  assert.deepEqual(
    hub.requests.map((request) => request.range),
    [undefined, "bytes=100000-"],
  );
});

test("a cut that brings no more bytes fails, and the next download goes on from there", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  let cut: (() => void) | undefined;
  hub.setBehaviour((_, response, count) => {
    cut = () => response.destroy();
    if (count === 1) return beginOnly(response, file, 50_000);
    response.destroy();
    return true;
  });
  const onProgress = (done: number) => {
    if (done === 50_000) cut?.();
  };
  const options: DownloadOptions = { urls: [`${hub.url}/model`], to: at.to, ...whole, signal };
  await assert.rejects(download({ ...options, onProgress }), code("unreachable"));
  assert.deepEqual(await at.names(), ["model.gguf.partial"]);
  hub.setBehaviour(undefined);
  await download(options);
  assert.deepEqual(readFileSync(at.to), file);
  assert.equal(hub.requests.at(-1)?.range, "bytes=50000-");
});

test("a server that ignores ranges starts the file over", async () => {
  await using hub = await startHub(
    {},
    {
      behave: (_, response) => {
        response.writeHead(200, { "content-length": file.length }).end(file);
        return true;
      },
    },
  );
  await using at = await place();
  writeFileSync(at.partial, file.subarray(0, 1000));
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  assert.deepEqual(readFileSync(at.to), file);
});

test("a partial file that is not the beginning of this file is fetched once more whole", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  writeFileSync(at.partial, Buffer.alloc(1000, 7));
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  assert.deepEqual(readFileSync(at.to), file);
  assert.deepEqual(
    hub.requests.map((request) => request.range),
    ["bytes=1000-", undefined],
  );
});

test("a partial file longer than the file is dropped", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  writeFileSync(at.partial, Buffer.alloc(file.length + 5));
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  assert.deepEqual(readFileSync(at.to), file);
});

test("a partial file that is already whole costs no request", async () => {
  await using hub = await startHub({});
  await using at = await place();
  writeFileSync(at.partial, file);
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  assert.deepEqual(readFileSync(at.to), file);
  assert.equal(hub.requests.length, 0);
});

test("a wrong hash leaves nothing behind", async () => {
  const other = Buffer.from(file);
  other[1234] = (other[1234] ?? 0) ^ 1;
  await using hub = await startHub({ "/model": other });
  await using at = await place();
  const fetching = download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  await assert.rejects(fetching, code("wrong_hash"));
  assert.deepEqual(await at.names(), []);
});

test("a file of another size is refused before its bytes are read", async () => {
  await using hub = await startHub({ "/model": file.subarray(0, 10) });
  await using at = await place();
  const fetching = download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal });
  await assert.rejects(fetching, code("wrong_size"));
});

test("a missing file is told as such, and an address that has it is used after one that has not", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  const missing = download({ urls: [`${hub.url}/no`], to: at.to, ...whole, signal });
  await assert.rejects(missing, code("not_found"));
  const urls = [`${hub.url}/no`, `${hub.url}/model`];
  await download({ urls, to: at.to, ...whole, signal });
  assert.deepEqual(readFileSync(at.to), file);
});

test("when no address can be reached, the error names each", async () => {
  await using at = await place();
  const urls = [await deadUrl(), await deadUrl()];
  await assert.rejects(download({ urls, to: at.to, ...whole, signal }), (thrown) => {
    code("unreachable")(thrown);
    assert.ok(thrown instanceof Error);
    for (const url of urls) assert.ok(thrown.message.includes(new URL(url).host));
    return true;
  });
});

test("a server that takes the connection and says nothing is given up", async () => {
  await using hub = await startHub({}, { behave: () => true });
  await using at = await place();
  const urls = [`${hub.url}/model`];
  const fetching = download({ urls, to: at.to, ...whole, signal, stallMs: 50 });
  await assert.rejects(fetching, code("unreachable"));
});

test("a body that stops flowing is given up", async () => {
  await using hub = await startHub(
    {},
    {
      behave: (request, response) => {
        if (request.range !== undefined) return true;
        response.writeHead(200, { "content-length": file.length });
        response.write(file.subarray(0, 1000));
        return true;
      },
    },
  );
  await using at = await place();
  const urls = [`${hub.url}/model`];
  await assert.rejects(download({ urls, to: at.to, ...whole, signal, stallMs: 50 }), ReadableError);
  assert.equal(existsSync(at.to), false);
});

test("an abort ends the transfer with the signal's reason and keeps what came", async () => {
  const stop = new AbortController();
  await using hub = await startHub(
    {},
    {
      behave: (_, response) => {
        response.writeHead(200, { "content-length": file.length });
        response.write(file.subarray(0, 1000));
        return true;
      },
    },
  );
  await using at = await place();
  const reason = new Error("cancelled by a test");
  const fetching = download({
    urls: [`${hub.url}/model`],
    to: at.to,
    ...whole,
    signal: stop.signal,
    onProgress: (done) => {
      if (done >= 1000) stop.abort(reason);
    },
  });
  await assert.rejects(fetching, (thrown) => thrown === reason);
  assert.deepEqual(readFileSync(at.partial), file.subarray(0, 1000));
});

test("redirects are followed, without the authorization on another host, and never without end", async () => {
  await using store = await startHub({ "/stored": file });
  await using hub = await startHub(
    {},
    {
      behave: (request, response) => {
        const location = request.path === "/loop" ? "/loop" : `${store.url}/stored`;
        response.writeHead(302, { location }).end();
        return true;
      },
    },
  );
  await using at = await place();
  const headers = { authorization: "Bearer secret" };
  await download({ urls: [`${hub.url}/model`], to: at.to, ...whole, signal, headers });
  assert.deepEqual(readFileSync(at.to), file);
  assert.equal(hub.requests[0]?.headers.authorization, "Bearer secret");
  assert.equal(store.requests[0]?.headers.authorization, undefined);
  const loop = download({ urls: [`${hub.url}/loop`], to: at.to, ...whole, signal });
  await assert.rejects(loop, code("refused"));
});

test("a disk without room is noticed before the first request", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  const fetching = download({
    urls: [`${hub.url}/model`],
    to: at.to,
    size: 2 ** 52,
    sha256: whole.sha256,
    signal,
  });
  await assert.rejects(fetching, code("disk_full"));
  assert.equal(hub.requests.length, 0);
});

test("a disk that fills while it is written to is told as such", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  // A device whose every write fails with ENOSPC, as a full disk does.
  symlinkSync("/dev/full", at.partial);
  const urls = [`${hub.url}/model`, `${hub.url}/model`];
  await assert.rejects(download({ urls, to: at.to, ...whole, signal }), code("disk_full"));
  assert.equal(hub.requests.length, 1);
  assert.equal(existsSync(at.to), false);
});

test("a file of unknown size and hash is brought whole or not at all", async () => {
  await using hub = await startHub({ "/model": file });
  await using at = await place();
  writeFileSync(at.partial, file.subarray(0, 1000));
  await download({ urls: [`${hub.url}/model`], to: at.to, signal });
  assert.deepEqual(readFileSync(at.to), file);
  hub.setBehaviour((_, response) => {
    response.writeHead(200, { "content-length": file.length });
    response.write(file.subarray(0, 100_000), () => response.destroy());
    return true;
  });
  const to = join(at.folder, "other");
  await assert.rejects(download({ urls: [`${hub.url}/model`], to, signal }), code("cut"));
  assert.equal(existsSync(to), false);
});
