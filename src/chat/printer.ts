// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Answers for whoever does not sit at the chat: Markdown as it is into a pipe, drawn on a terminal.
import type { Job } from "../message.ts";
import type { Received } from "../protocol/events.ts";
import { noticeText, unbackedText } from "./answer.ts";
import { JobClock, jobText } from "./bar.ts";
import { Cleaner, clean, cleanLine } from "./clean.ts";
import { type Line, paintFor, span } from "./line.ts";
import { Page } from "./page.ts";
import { Screen } from "./screen.ts";

export type Output = {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
};

/** Shows the events of one session. Whoever made it ends it. */
export interface Printer {
  receive(event: Received): void;
  /** A word beside the answer. */
  note(text: string): void;
  end(): void;
}

type Environment = Record<string, string | undefined>;
const frame = 33;

/** Progress for a log or a pipe: a line when a job begins, at each tenth, and when it ends. */
export class JobReport {
  readonly #output: Output;
  readonly #clock = new JobClock();
  readonly #told = new Map<string, number>();
  #open = false;

  constructor(output: Output) {
    this.#output = output;
  }

  receive(job: Job): void {
    const now = performance.now();
    const columns = this.#output.isTTY ? Math.max(20, (this.#output.columns ?? 80) - 1) : 200;
    const text = jobText(job, columns, this.#clock.left(job, now));
    if (this.#output.isTTY) {
      this.#output.write(`\r\x1b[K${text}${job.state === "running" ? "" : "\n"}`);
      this.#open = job.state === "running";
      return;
    }
    const tenth = job.total > 0 ? Math.floor((job.done / job.total) * 10) : 0;
    if (job.state === "running" && this.#told.get(job.job) === tenth) return;
    this.#told.set(job.job, tenth);
    this.#output.write(`${text}\n`);
  }

  /** Leaves the line of a bar that has not come to its end. */
  end(): void {
    if (this.#open) this.#output.write("\n");
    this.#open = false;
  }
}

/** The answer alone, cleaned, to `output`; everything else to `errors`. */
class PlainPrinter implements Printer {
  readonly #output: Output;
  readonly #errors: Output;
  readonly #jobs: JobReport;
  #words = new Cleaner();
  #last = "\n";

  constructor(options: { output: Output; errors: Output }) {
    this.#output = options.output;
    this.#errors = options.errors;
    this.#jobs = new JobReport(options.errors);
  }

  receive(event: Received): void {
    if (event.type === "token") this.#write(this.#words.push(event.delta));
    else if (event.type === "tool" && !event.done) this.#newline();
    else if (event.type === "tool" && event.ok === false)
      this.note(cleanLine(event.text || `error: ${event.name} failed`));
    else if (event.type === "done")
      this.#finish(event.stopped ? "(stopped)" : event.unbacked ? unbackedText : null);
    else if (event.type === "error" && event.req === undefined) {
      this.#finish(cleanLine(`error: ${event.message}`));
      if (event.hint) this.note(event.hint);
    } else if (event.type === "notice") this.note(noticeText(event));
    else if (event.type === "job") this.#jobs.receive(event);
  }

  note(text: string): void {
    this.#jobs.end();
    this.#errors.write(`${clean(text).trim()}\n`);
  }

  end(): void {
    this.#jobs.end();
  }

  #write(text: string): void {
    if (text === "") return;
    this.#jobs.end();
    this.#output.write(text);
    this.#last = text;
  }

  #newline(): void {
    if (!this.#last.endsWith("\n")) this.#write("\n");
  }

  #finish(word: string | null): void {
    this.#newline();
    this.#words = new Cleaner();
    if (word) this.note(word);
  }
}

/** The answer drawn as in the chat, without a line to type in. */
class ScreenPrinter implements Printer {
  readonly #page: Page;
  readonly #screen: Screen;
  #stay: Line[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { output: Output; env: Environment; session: string; questions?: boolean }) {
    const { output, env, session, questions = false } = options;
    this.#page = new Page({ session, questions });
    this.#screen = new Screen(output, paintFor(output, env));
  }

  receive(event: Received): void {
    // Here nobody is asked: whoever answers says so in a note.
    if (event.type === "confirm" || event.type === "confirmed") return;
    this.#stay.push(...this.#page.receive(event, this.#screen.columns));
    if (event.type === "done" || event.type === "error") this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), frame);
  }

  note(text: string): void {
    this.#stay.push(
      ...clean(text)
        .trim()
        .split("\n")
        .map((line): Line => [span(line)]),
    );
    this.#draw();
  }

  end(): void {
    this.#draw();
    this.#screen.end();
  }

  #draw(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { columns, rows } = this.#screen;
    const stay = [...this.#stay, ...this.#page.settled(columns)];
    this.#stay = [];
    this.#screen.draw(stay, { lines: this.#page.live(columns, rows, performance.now()) });
  }
}

/** Drawn for a terminal that can; else the plain one. */
export function printerFor(options: {
  output: Output;
  errors: Output;
  env: Environment;
  session: string;
  questions?: boolean;
}): Printer {
  const drawn = options.output.isTTY === true && options.env.TERM !== "dumb";
  return drawn ? new ScreenPrinter(options) : new PlainPrinter(options);
}
