// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The terminal chat: keys in, questions and orders out, the page drawn as events come.
import { emitKeypressEvents } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import { ask, type Client } from "../client/client.ts";
import { describe, isAbort, ReadableError } from "../errors.ts";
import type { Received } from "../protocol/events.ts";
import { errorLines } from "./answer.ts";
import { Asking } from "./asking.ts";
import { readCommand } from "./commands.ts";
import type { OpenConfirm } from "./confirms.ts";
import { type Action, Editor, type Key } from "./editor.ts";
import { type Line, paintFor, span, style } from "./line.ts";
import { carryOut } from "./orders.ts";
import { notAsked, Page } from "./page.ts";
import { promptLines } from "./prompt.ts";
import { Screen } from "./screen.ts";
import { missing } from "./setup.ts";
import { wrap } from "./wrap.ts";

/** Milliseconds between two drawings while an answer streams. */
const frame = 33;
/** Milliseconds after which a process that was to be stopped plainly was not. */
const notStopped = 100;
const pasteOn = "\x1b[?2004h";
const pasteOff = "\x1b[?2004l";
const features = ["progress", "notice", "job", "queue", "confirm"];

export type ChatOptions = {
  connect: (onEvent: (event: Received) => void) => Promise<Client>;
  input: ReadStream;
  output: WriteStream;
  env: Record<string, string | undefined>;
  /** Leaves the chat as Ctrl-D does. */
  signal: AbortSignal;
};

/** Runs until the person leaves (0) or the daemon goes away (1). */
export async function chat(options: ChatOptions): Promise<number> {
  const room = new Chat(options);
  return await room.run();
}

class Chat {
  readonly #options: ChatOptions;
  readonly #screen: Screen;
  readonly #editor = new Editor();
  readonly #page = new Page({ hint: " (Ctrl-T shows them)" });
  readonly #end = new AbortController();
  #client: Client | null = null;
  /** Events before the second hello are told by that hello, too. */
  #greeted = false;
  readonly #asking = new Asking({
    confirms: this.#page.confirms,
    editor: this.#editor,
    say: (lines) => this.#say(lines),
    draw: () => this.#draw(),
    answer: (confirm, allow) => this.#confirm(confirm, allow),
  });
  #stay: Line[] = [];
  #timer: NodeJS.Timeout | null = null;
  #interrupted = false;
  /** It was said here that engine and model are fetched. */
  #announced = false;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#screen = new Screen(options.output, paintFor(options.output, options.env));
  }

  async run(): Promise<number> {
    const { connect, input, output, signal } = this.#options;
    await using client = await connect((event) => this.#receive(event));
    this.#client = client;
    const onKey = (typed: string | undefined, key: Key) => this.#key(typed, key);
    const onResize = () => {
      this.#screen.resized();
      this.#draw();
    };
    const leave = () => this.#end.abort();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    emitKeypressEvents(input);
    input.on("keypress", onKey);
    output.on("resize", onResize);
    input.setRawMode(true);
    output.write(pasteOn);
    input.resume();
    try {
      this.#tell("Type a question, /help for the commands, Ctrl-D to leave.");
      const ended = this.#untilTheEnd(client);
      this.#do(async () => {
        await client.request({ type: "features", names: features }, { signal: this.#end.signal });
        await this.#offerFetch(client);
      });
      return await ended;
    } finally {
      if (this.#timer) clearTimeout(this.#timer);
      this.#timer = null;
      this.#asking.end();
      this.#screen.end();
      output.write(pasteOff);
      input.setRawMode(false);
      input.pause();
      input.off("keypress", onKey);
      output.off("resize", onResize);
      signal.removeEventListener("abort", leave);
    }
  }

  async #untilTheEnd(client: Client): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { signal } = this.#end;
    if (signal.aborted) return 0;
    signal.addEventListener("abort", () => resolve(0), { once: true });
    void client.closed.then(() => {
      if (signal.aborted) return;
      const fault = { message: "The assistant has ended.", hint: "Type: desktop-assistant chat" };
      this.#say([...this.#page.lost(this.#columns), ...errorLines(fault, this.#columns)]);
      resolve(1);
    });
    return await promise;
  }

  /** With no model anywhere, says what will be fetched, and has the daemon begin. */
  async #offerFetch(client: Client): Promise<void> {
    const { signal } = this.#end;
    const first = await missing(client, { signal });
    if (!first) return;
    this.#announced = true;
    this.#tell(first.join("\n"));
    // Without a name: whatever is missing for an answer.
    await client.request({ type: "fetch" }, { signal });
  }

  get #columns(): number {
    return this.#screen.columns;
  }

  #receive(event: Received): void {
    if (!this.#greeted && event.type !== "hello") return;
    this.#greeted = true;
    this.#stay.push(...this.#page.receive(event, this.#columns));
    if (event.type === "hello" || event.type === "conversation") {
      this.#editor.seed(this.#page.questions);
    }
    this.#timer ??= setTimeout(() => this.#draw(), frame);
  }

  #say(lines: Line[]): void {
    this.#stay.push(...lines);
    this.#draw();
  }

  #tell(text: string): void {
    this.#say([...wrap([span(text, style.dim)], this.#columns), []]);
  }

  #draw(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const columns = this.#columns;
    const rows = this.#screen.rows;
    const stay = [...this.#stay, ...this.#page.settled(columns)];
    this.#stay = [];
    const mark = this.#page.isPrivate ? "private › " : "› ";
    const prompt = promptLines(this.#editor, { columns, rows: Math.ceil(rows / 2), mark });
    const room = rows - prompt.lines.length - 1;
    const asked = this.#asking.lines(columns, room);
    const left = room - (asked.length > 0 ? asked.length + 1 : 0);
    const above =
      asked.length === 0 || left > 2 ? this.#page.live(columns, left, performance.now()) : [];
    const parts = [above, asked, prompt.lines].filter((lines) => lines.length > 0);
    const lines = parts.flatMap((part, at) => (at > 0 ? [[], ...part] : part));
    const first = lines.length - prompt.lines.length;
    this.#screen.draw(stay, {
      lines,
      cursor: { row: first + prompt.cursor.row, column: prompt.cursor.column },
    });
  }

  #key(typed: string | undefined, key: Key): void {
    if (this.#asking.key(typed, key)) {
      this.#draw();
      return;
    }
    const action = this.#editor.press(typed, key);
    const again = this.#interrupted;
    this.#interrupted = action?.type === "interrupt";
    if (action) this.#act(action, again);
    if (!this.#end.signal.aborted) this.#draw();
  }

  #confirm(confirm: OpenConfirm, allow: boolean): void {
    if (this.#end.signal.aborted) return;
    const { key, call } = confirm;
    this.#page.confirms.say(confirm, allow);
    this.#do(async (client) => {
      try {
        await client.request({ type: "confirm", key, call, allow });
      } catch (thrown) {
        this.#page.confirms.drop(confirm);
        throw thrown;
      }
    });
    this.#draw();
  }

  #act(action: NonNullable<Action>, again: boolean): void {
    const { type } = action;
    if (type === "enter") this.#enter(action.text);
    else if (type === "redraw") this.#screen.clear();
    else if (type === "suspend") this.#suspend();
    else if (type === "unfold") this.#say([...this.#page.unfold(this.#columns), []]);
    else if (type === "interrupt" && !again) this.#interrupt();
    else this.#end.abort();
  }

  /** The first Ctrl-C: stops what runs, else empties the line, else says how to leave. */
  #interrupt(): void {
    const { running } = this.#page;
    const fetches = this.#page.jobs.filter(({ kind }) => kind === "engine" || kind === "model");
    // A fetch that this chat has announced as its own ends with the question that waits for it.
    const cancels = fetches.length > 0 && (this.#announced || !running);
    if (running) this.#do((client) => this.#stop(client));
    if (cancels) {
      for (const { job } of fetches) this.#do((client) => client.request({ type: "cancel", job }));
    }
    if (running || cancels) return;
    const asked = this.#page.confirms.first;
    if (asked) this.#confirm(asked, false);
    else if (this.#editor.text !== "") this.#editor.clear();
    else this.#tell("Ctrl-C once more, or Ctrl-D, leaves.");
  }

  /** Stops what runs; what waited behind it is dropped with it, and said. */
  async #stop(client: Client): Promise<void> {
    const waiting = this.#page.queue;
    const { signal } = this.#end;
    const { dropped } = await ask(client, { type: "stop" }, "ok", { signal });
    if (!Array.isArray(dropped)) return;
    const lines = notAsked(
      waiting.filter(({ key }) => dropped.includes(key)),
      this.#columns,
    );
    if (lines.length > 0) this.#say([...lines, []]);
  }

  /** Leaves the terminal to the shell until it brings us back (fg). */
  #suspend(): void {
    const { output, input } = this.#options;
    this.#screen.end();
    output.write(pasteOff);
    input.setRawMode(false);
    const back = () => {
      clearTimeout(timer);
      process.off("SIGCONT", back);
      if (this.#end.signal.aborted) return;
      input.setRawMode(true);
      output.write(pasteOn);
      this.#screen.resized();
      this.#draw();
    };
    process.on("SIGCONT", back);
    // The whole group, since npm or a script may stand between us and the shell. Where no shell could
    // bring it back, the system does not stop it: then we go on.
    process.kill(0, "SIGTSTP");
    const timer = setTimeout(back, notStopped);
  }

  #enter(text: string): void {
    const command = readCommand(text);
    if (command === null) {
      this.#do((client) => client.request({ type: "ask", text, when: "queue" }));
    } else if (command.type === "quit") this.#end.abort();
    else if (command.type === "think") this.#say([...this.#page.unfold(this.#columns), []]);
    else if (command.type === "stats") this.#tell(this.#page.tellStats());
    else {
      this.#do(async (client) => {
        const { signal } = this.#end;
        const now = Date.now() / 1000;
        this.#say(await carryOut(command, client, { columns: this.#columns, now, signal }));
      });
    }
  }

  /** Starts something whose failure is shown, never thrown; a lost connection ends the chat itself. */
  #do(work: (client: Client) => Promise<unknown>): void {
    const client = this.#client;
    if (!client) return;
    work(client).catch((thrown: unknown) => {
      const told = thrown instanceof ReadableError && thrown.code === "lost";
      if (!told && !isAbort(thrown, this.#end.signal)) {
        this.#say([...errorLines(describe(thrown), this.#columns), []]);
      }
    });
  }
}
