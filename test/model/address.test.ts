// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Addresses as people write them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../../src/errors.ts";
import { parseAddress } from "../../src/model/address.ts";

test("an address is understood without /v1, without http://, with a slash or a request's path at its end", () => {
  for (const text of [
    "http://localhost:8080/v1",
    "http://localhost:8080/v1/",
    "http://localhost:8080",
    "http://localhost:8080/",
    " localhost:8080 ",
    "http://localhost:8080/v1/chat/completions",
  ]) {
    assert.deepEqual(parseAddress(text), {
      v1: "http://localhost:8080/v1",
      root: "http://localhost:8080",
      local: true,
    });
  }
});

test("a path before /v1 and another version are kept", () => {
  assert.equal(parseAddress("https://host/api/v1").root, "https://host/api");
  assert.equal(parseAddress("https://host/llama").v1, "https://host/llama/v1");
  assert.equal(parseAddress("https://host/v1beta/openai").v1, "https://host/v1beta/openai");
});

test("only the loopback interface is local", () => {
  for (const host of ["localhost", "127.0.0.1", "127.8.0.1", "[::1]"]) {
    assert.equal(parseAddress(`http://${host}:1/v1`).local, true, host);
  }
  for (const host of ["192.168.0.2", "example.org", "127.example.org", "[fe80::1]"]) {
    assert.equal(parseAddress(`http://${host}:1/v1`).local, false, host);
  }
});

test("what is no http address, or holds a password, is refused without repeating it", () => {
  for (const text of ["", "ftp://host/v1", "http://", "http://a:b@:1"]) {
    assert.throws(() => parseAddress(text), { code: "bad_address" });
  }
  try {
    parseAddress("http://user:s3cret@host/v1");
    assert.fail("it was taken");
  } catch (thrown) {
    const { code, message } = describe(thrown);
    assert.equal(code, "bad_address");
    assert.ok(!message.includes("s3cret"));
  }
});
