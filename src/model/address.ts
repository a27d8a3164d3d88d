// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model server's address as a person writes it, and the addresses that follow from it.
import { ReadableError } from "../errors.ts";

export type Address = {
  /** With /v1, no slash at the end: for people, and for the OpenAI-compatible paths. */
  v1: string;
  /** Without /v1: /props, /slots, /models/load and the native paths of other servers. */
  root: string;
  /** This machine: the loopback interface. */
  local: boolean;
};

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Takes "http://host:port/v1", also without /v1, without "http://", with a slash or "/chat/completions" at the end.
 * Throws ReadableError "bad_address".
 */
export function parseAddress(text: string): Address {
  const given = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.parse(full);
  if (!url || url.hostname === "" || !["http:", "https:"].includes(url.protocol)) {
    throw badAddress(given, "it is no http address");
  }
  if (url.username || url.password) {
    // Not repeated in the message: it would put a password into logs.
    throw badAddress(url.host, "a key or password does not belong into the address");
  }
  // Some copy the address of a request.
  const path = url.pathname.replace(/\/+$/, "").replace(/(?:\/chat)?\/completions$/, "");
  // Gateways have other versions and longer paths (/v1beta/openai); those are taken as they stand.
  const versioned = path.endsWith("/v1") || /\/v\d/.test(path);
  const v1 = `${url.origin}${versioned ? path : `${path}/v1`}`;
  return {
    v1,
    root: v1.endsWith("/v1") ? v1.slice(0, -"/v1".length) : v1,
    local: loopback.test(url.hostname),
  };
}

function badAddress(shown: string, why: string): ReadableError {
  return new ReadableError("bad_address", `${shown} can't be used as a model server: ${why}`, {
    hint: 'Write llm = "http://localhost:8080/v1" in config.toml; a key goes into api_key_file.',
  });
}
