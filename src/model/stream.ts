// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Turns the bytes of a completion's body into typed events and, at its end, into a reply.
import { createParser, type EventSourceMessage, type ParseError } from "eventsource-parser";
import { ReadableError } from "../errors.ts";
import { CallCollector } from "./calls.ts";
import { isRecord, type JsonRecord, listAt, parseJson, recordAt } from "./json.ts";
import type { ModelEvent, Reply, TokenOdds, Usage } from "./model.ts";
import { readOdds, sizeOf } from "./odds.ts";
import { notAModelServer, serverError } from "./server-error.ts";
import { type Part, Thoughts } from "./thoughts.ts";
import { readProgress, readUsage } from "./usage.ts";

/** Characters of one line or of a body without lines; a tool call's arguments come in one line. */
const longestLine = 8 * 1024 * 1024;
/** Characters of a whole reply; a server that never ends must not fill the memory. */
const longestReply = 16 * 1024 * 1024;
const mostCalls = 256;

/** Reasons after which the last words, and any call among them, may be half. */
const cutReasons = new Set(["length", "content_filter", "error"]);

export class StreamReader {
  readonly #emit: (event: ModelEvent) => void;
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser>;
  readonly #calls = new CallCollector();
  readonly #thoughts = new Thoughts();
  #shape: "unknown" | "events" | "body" = "unknown";
  #held = "";
  #size = 0;
  /** Lines of an event stream that meant something, comments among them. */
  #signs = 0;
  #text = "";
  readonly #odds: TokenOdds[] = [];
  #thinking = "";
  #reason = "";
  #usage: Usage | null = null;
  #counts: JsonRecord | null = null;
  #usageTold = false;
  #timings: JsonRecord | null = null;
  #done = false;
  #ending = false;

  /** `emit` is called synchronously from push and end, once for each delta. */
  constructor(emit: (event: ModelEvent) => void) {
    this.#emit = emit;
    this.#parser = createParser({
      onEvent: (event) => this.#onEvent(event),
      onComment: () => {
        this.#signs += 1;
      },
      onError: (error) => this.#onLineFault(error),
      maxBufferSize: longestLine,
    });
  }

  /** True when [DONE] was read: nothing more counts, even if the connection stays open. */
  get done(): boolean {
    return this.#done;
  }

  /** True when the server gave a finish reason: the reply is whole, however the connection ends. */
  get finished(): boolean {
    return this.#reason !== "";
  }

  /** Takes the next bytes, cut anywhere. Throws ReadableError, after which the reader is of no use. */
  push(chunk: Uint8Array): void {
    if (!this.#done) this.#feed(this.#decoder.decode(chunk, { stream: true }));
  }

  #feed(text: string): void {
    if (this.#shape === "events") {
      this.#parser.feed(text);
      return;
    }
    this.#held += text;
    if (this.#held.length > longestLine) throw tooLarge();
    if (this.#shape === "body") return;
    // The first character tells: no line of an event stream begins with a brace or an angle bracket.
    const first = this.#held.trimStart().charAt(0);
    if (first === "") return;
    if (first === "<") throw notAModelServer("it sent a web page");
    this.#shape = first === "{" || first === "[" ? "body" : "events";
    if (this.#shape === "body") return;
    this.#parser.feed(this.#held);
    this.#held = "";
  }

  /**
   * The body has ended. Throws ReadableError "cut" (no finish reason), "empty_answer",
   * "not_a_model_server", or what an error object in the body says.
   */
  end(): Reply {
    this.#ending = true;
    if (!this.#done) this.#flush();
    for (const part of this.#thoughts.end()) this.#add(part);
    const { calls, nameless } = this.#calls.end({ whole: !cutReasons.has(this.#reason) });
    const silent = this.#text === "" && this.#thinking === "" && this.#calls.begun === 0;
    // One token of a warm-up may well be no text; a reply that ended by itself owes us something.
    if (silent && (this.#done || this.#shape === "unknown" || this.finished)) {
      if (this.#reason !== "length") throw emptyAnswer();
    }
    if (!this.finished) throw cutOff();
    this.#tellUsage();
    return {
      text: this.#text,
      thinking: this.#thinking,
      calls,
      reason: this.#reason,
      usage: this.#usage,
      ...(nameless > 0 ? { namelessCalls: nameless } : {}),
      ...(this.#odds.length > 0 ? { odds: this.#odds } : {}),
    };
  }

  #flush(): void {
    this.#feed(this.#decoder.decode());
    if (this.#shape === "events") {
      // A last event without its closing blank line still counts.
      this.#parser.feed("\n\n");
      if (this.#signs === 0) throw notAModelServer("it sent text that is no event stream");
    } else if (this.#shape === "body") this.#readBody();
  }

  #readBody(): void {
    const value = parseJson(this.#held);
    if (value === undefined) throw notAModelServer("it sent text that is neither events nor JSON");
    if (!isRecord(value)) throw notAModelServer("it sent JSON that is no completion");
    this.#read(value);
    if (!Array.isArray(value.choices)) throw notAModelServer("it sent JSON that is no completion");
  }

  #onEvent(event: EventSourceMessage): void {
    if (this.#done) return;
    this.#signs += 1;
    const { data } = event;
    if (data === "") return;
    if (data.charCodeAt(0) === 91 && data.trimEnd() === "[DONE]") {
      this.#done = true;
      return;
    }
    const value = parseJson(data);
    if (value === undefined) {
      if (event.event && event.event !== "message" && event.event !== "error") return;
      throw this.#ending ? cutOff() : notAModelServer("it sent an event that is no JSON");
    }
    if (!isRecord(value)) return;
    if (event.event === "error") throw serverError(value.error ?? value);
    this.#read(value);
  }

  /** Older llama-servers send a fault as a line `error: {…}` of its own. */
  #onLineFault(error: ParseError): void {
    if (error.type === "max-buffer-size-exceeded") throw tooLarge();
    if (error.type !== "unknown-field" || error.field !== "error") return;
    const value = parseJson(error.value ?? "");
    throw serverError(value ?? error.value);
  }

  /** One chunk of a stream, or a whole completion. */
  #read(value: JsonRecord): void {
    if (value.error) throw serverError(value.error);
    if (value.object === "error") throw serverError(value);
    const choices = Array.isArray(value.choices) ? value.choices : [];
    if (value.prompt_progress !== undefined) {
      const progress = readProgress(value.prompt_progress);
      if (progress) this.#emit(progress);
    }
    if (choices.length > 0) this.#readChoice(choices[0]);
    if (value.timings !== undefined || value.usage !== undefined) {
      this.#timings = recordAt(value, "timings") ?? this.#timings;
      this.#counts = recordAt(value, "usage") ?? this.#counts;
      this.#usage = readUsage(this.#counts, this.#timings);
      // Some servers count along in every chunk; only the one without choices is surely the last.
      if (choices.length === 0) this.#tellUsage();
    }
  }

  #tellUsage(): void {
    if (!this.#usage || this.#usageTold) return;
    this.#usageTold = true;
    this.#emit({ type: "usage", usage: this.#usage });
  }

  #readChoice(choice: unknown): void {
    if (!isRecord(choice)) return;
    const whole = !isRecord(choice.delta);
    const delta = whole ? choice.message : choice.delta;
    if (isRecord(delta)) {
      // Some servers send both names with the same words.
      const thought = delta.reasoning_content || delta.reasoning;
      if (typeof thought === "string" && thought !== "") {
        this.#grow(thought.length);
        this.#add({ type: "think", delta: thought });
      }
      const content = delta.content;
      if (typeof content === "string" && content !== "") {
        this.#grow(content.length);
        if (choice.logprobs) this.#readOdds(choice);
        for (const part of this.#thoughts.take(content)) this.#add(part);
      }
      if (delta.tool_calls) this.#readCalls(delta, whole);
    }
    const reason = choice.finish_reason;
    if (typeof reason === "string" && reason !== "") this.#reason = reason;
  }

  #add(part: Part): void {
    if (part.type === "think") this.#thinking += part.delta;
    else this.#text += part.delta;
    this.#emit(part);
  }

  #readOdds(choice: JsonRecord): void {
    const odds = readOdds(choice);
    this.#grow(sizeOf(odds));
    for (const one of odds) this.#odds.push(one);
  }

  #readCalls(delta: JsonRecord, whole: boolean): void {
    for (const fragment of listAt(delta, "tool_calls")) {
      this.#calls.add(fragment, { whole });
      if (this.#calls.begun > mostCalls) throw tooLarge();
      const args = recordAt(fragment, "function")?.arguments;
      if (typeof args === "string") this.#grow(args.length);
    }
  }

  #grow(characters: number): void {
    this.#size += characters;
    if (this.#size > longestReply) throw tooLarge();
  }
}

function cutOff(): ReadableError {
  return new ReadableError("cut", "the model server broke off in the middle of its answer", {
    hint: "Ask again. If it happens often, look into the server's log.",
  });
}

function emptyAnswer(): ReadableError {
  return new ReadableError("empty_answer", "empty answer from the model server", {
    hint: "Ask again, or try another model.",
  });
}

function tooLarge(): ReadableError {
  return new ReadableError("reply_too_large", "the model server sent more than an answer can be", {
    hint: "Look at what listens at the address of llm in config.toml.",
  });
}
