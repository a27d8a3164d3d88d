// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks what a download does with a cut, and with what an earlier run has left.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type DownloadOptions, download } from "../../src/download/file.ts";
import { beginOnly, startHub } from "../support/hub.ts";
import { code, file, place, whole } from "./place.ts";

const signal = AbortSignal.timeout(60_000);

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
