// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The scripted model server of the benchmark, a process of its own: it writes prepared bytes.
import type { ServerResponse } from "node:http";
import { hello, type ReplyWriter, startModelServer } from "../test/support/model-server.ts";

// A delta as llama-server writes it, with everything that a client must read past.
const rest =
  '"created":1796036700,"id":"chatcmpl-Q7bVvJw4o0aK2tYd9sXmE3uLhCzRfG1p","model":"scripted",' +
  '"system_fingerprint":"b10434-6b7d0f1","object":"chat.completion.chunk"}\n\n';
const long = (content: string) =>
  `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"${content}"}}],${rest}`;
const short = (content: string) =>
  `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
const end =
  `data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],${rest}` +
  `data: {"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":9},${rest}data: [DONE]\n\n`;

const words = [" the", " house", " stands", " by", " a", " river", ",", " and", " it", " rains"];
const prepared = new Map<string, Buffer>();

/** Many deltas as one buffer, made once. */
function deltas(count: number, form: (content: string) => string): Buffer {
  const key = `${count} ${form.name}`;
  let bytes = prepared.get(key);
  if (bytes === undefined) {
    const ten = Buffer.from(words.map(form).join(""));
    bytes = Buffer.concat(Array.from({ length: count / 10 }, () => ten));
    prepared.set(key, bytes);
  }
  return bytes;
}

/** Pieces of 64 KiB, which cut events anywhere, as fast as the other side takes them. */
function flood(response: ServerResponse, bytes: Buffer): void {
  let at = 0;
  const push = () => {
    while (at < bytes.length) {
      at += 65_536;
      if (!response.write(bytes.subarray(at - 65_536, at))) return;
    }
    response.off("drain", push).end(end);
  };
  response.on("drain", push);
  push();
}

/** Ten deltas every 5 ms for so many seconds. */
function pace(response: ServerResponse, seconds: number): void {
  const ten = deltas(10, long);
  let left = seconds * 200;
  const timer = setInterval(() => {
    if (left-- > 0 && !response.destroyed) return response.write(ten);
    clearInterval(timer);
    response.end(end);
  }, 5);
}

/** The words of the question say what is wanted; anything else gets two words. */
function answer(reply: ReplyWriter, question: string): void {
  const { response } = reply;
  const [, kind, value] = /\b(flood|flood-short|pace|brief) (\d+)/.exec(question) ?? [];
  response.setHeader("content-type", "text/event-stream");
  if (kind === "flood") flood(response, deltas(Number(value), long));
  else if (kind === "flood-short") flood(response, deltas(Number(value), short));
  else if (kind === "pace") pace(response, Number(value));
  else if (kind === "brief") {
    response.write(long("It rains."));
    response.end(end);
  } else hello(reply, { url: "", headers: {}, body: "", json: { messages: [] } }, 0);
}

const server = await startModelServer({
  script(reply, request) {
    answer(reply, request.json.messages.findLast(({ role }) => role === "user")?.content ?? "");
  },
});
process.send?.(server.url);
process.once("disconnect", () => void server.close());
