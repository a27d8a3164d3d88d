// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks what a download does when the line, the server, the file or the disk is not as it should be.
import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "node:test";
import { download } from "../../src/download/file.ts";
import { ReadableError } from "../../src/errors.ts";
import { startHub } from "../support/hub.ts";
import { code, file, place, whole } from "./place.ts";

const signal = AbortSignal.timeout(60_000);

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
