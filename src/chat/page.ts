// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the terminal shows of the daemon: events in, lines that stay and lines that still change out.
import type { Job } from "../message.ts";
import type { QueueItem, Received, WireTurn } from "../protocol/events.ts";
import { Answer, errorLines, noticeLines, questionLines } from "./answer.ts";
import { JobClock, jobText } from "./bar.ts";
import { clean, cleanLine } from "./clean.ts";
import { Confirms } from "./confirms.ts";
import { type Line, span, style } from "./line.ts";
import { renderMarkdown } from "./markdown.ts";
import { endedTool } from "./thought.ts";
import { fit } from "./width.ts";
import { wrap } from "./wrap.ts";

/** Turns of an opened conversation that are shown; the rest is said to be there. */
const shownTurns = 20;

export function turnLines(turn: WireTurn, columns: number): Line[] {
  const calls = (turn.calls ?? []).flatMap((call) =>
    endedTool({ ...call, latencyMs: call.latency_ms }, columns),
  );
  const names =
    turn.calls === undefined && turn.tools.length > 0
      ? [[span(cleanLine(`· ${turn.tools.join(", ")}`), style.dim)]]
      : [];
  const tools = [...calls, ...names];
  return [
    ...questionLines(turn.user, columns),
    [],
    ...tools,
    ...(tools.length > 0 ? [[]] : []),
    ...renderMarkdown(clean(turn.reply), columns),
  ];
}

function conversationLines(turns: readonly WireTurn[], columns: number): Line[] {
  const shown = turns.slice(-shownTurns);
  const left = turns.length - shown.length;
  const before: Line[] =
    left > 0 ? [[span(`… ${left} earlier questions are not shown`, style.dim)], []] : [];
  return [...before, ...shown.flatMap((turn) => [...turnLines(turn, columns), []])];
}

/** Questions that were dropped before their turn came, so that their words are not lost. */
export function notAsked(items: readonly QueueItem[], columns: number): Line[] {
  return items.flatMap((item) =>
    wrap([span(`not asked: ${cleanLine(item.text)}`, style.dim)], columns, { next: [span("  ")] }),
  );
}

/** Events of "main" carry no session, and neither do those that are for everybody. */
function ofSession(event: Received, session: string): boolean {
  const everybody = event.type === "notice" || event.type === "job" || event.type === "error";
  return event.session === undefined ? everybody || session === "main" : event.session === session;
}

export class Page {
  readonly #session: string;
  readonly #questionsShown: boolean;
  readonly #hint: string;
  answer: Answer | null = null;
  /** The newest turn that was watched here, for what was folded in it. */
  #last: Answer | null = null;
  #unfolded = false;
  #stats = false;
  #queue: QueueItem[] = [];
  /** Calls that wait for the person's yes. */
  readonly confirms = new Confirms();
  readonly #jobs = new Map<string, Job>();
  readonly #clock = new JobClock();
  /** Questions of the conversation that is shown, for the arrow keys. */
  questions: string[] = [];
  isPrivate = false;

  /**
   * `questions: false` leaves the questions out, for somebody who has just typed them; `hint` says how
   * to see what is folded.
   */
  constructor(options: { session?: string; questions?: boolean; hint?: string } = {}) {
    this.#hint = options.hint ?? "";
    this.#session = options.session ?? "main";
    this.#questionsShown = options.questions ?? true;
  }

  get running(): boolean {
    return this.answer !== null || this.#queue.length > 0;
  }

  /** Questions that wait for their turn. */
  get queue(): readonly QueueItem[] {
    return this.#queue;
  }

  get jobs(): Job[] {
    return [...this.#jobs.values()];
  }

  receive(event: Received, columns: number): Line[] {
    if (!ofSession(event, this.#session)) return [];
    const settled = this.confirms.receive(event, columns);
    if (settled.length > 0) return this.answer?.beside(settled) ?? [...settled, []];
    switch (event.type) {
      case "hello":
        return this.#hello(event, columns);
      case "user":
        this.answer = this.#last = this.#newAnswer();
        this.questions.push(event.text);
        return this.#questionsShown ? this.answer.question(event.text, columns) : [];
      case "done":
        return this.#ended(event, columns);
      case "error":
        // What a request was answered with is shown by whoever asked.
        if (event.req !== undefined) return [];
        return this.answer ? this.#ended(event, columns) : [...errorLines(event, columns), []];
      case "conversation":
        return this.#conversation(event, columns);
      case "queue":
        this.#queue = event.items;
        return [];
      case "notice":
        return noticeLines(event, columns);
      case "job":
        return this.#job(event, columns);
      default:
        return this.answer?.receive(event, columns) ?? [];
    }
  }

  /** The connection is gone: what came of the answer stays, and what still waited is said. */
  lost(columns: number): Line[] {
    const lines = this.answer?.cut(columns) ?? [];
    this.answer = null;
    this.confirms.clear();
    const waiting = notAsked(this.#queue, columns);
    this.#queue = [];
    return [...lines, ...waiting, ...(lines.length + waiting.length > 0 ? [[]] : [])];
  }

  /** Lines that have come to stay since the last drawing, after those that `receive` gave. */
  settled(columns: number): Line[] {
    return this.answer?.settled(columns) ?? [];
  }

  /** At most `rows` lines. `now` in milliseconds, for the time that jobs will take. */
  live(columns: number, rows: number, now: number): Line[] {
    const below: Line[] = [
      ...this.jobs.map(
        (job): Line => [span(jobText(job, columns, this.#clock.left(job, now)), style.dim)],
      ),
      ...this.#queue.map(
        (item): Line => [span(fit(cleanLine(`next: ${item.text}`), columns), style.dim)],
      ),
    ].slice(0, Math.max(1, Math.floor(rows / 2)));
    const room = rows - below.length - 1;
    const above = this.answer?.live(columns, room) ?? [];
    const gap: Line[] = above.length > 0 && below.length > 0 ? [[]] : [];
    return [...above, ...gap, ...below];
  }

  /** Turns folding on or off; what was folded so far is given out when it goes off. */
  unfold(columns: number): Line[] {
    this.#unfolded = !this.#unfolded;
    if (this.answer) this.answer.unfolded = this.#unfolded;
    if (!this.#unfolded) return [[span("Thinking is folded.", style.dim)]];
    const details = this.#last?.details(columns) ?? [];
    return details.length > 0 ? details : [[span("Thinking will be shown whole.", style.dim)]];
  }

  /** Turns the line about an answer's cost on or off, and says which. */
  tellStats(): string {
    this.#stats = !this.#stats;
    if (this.answer) this.answer.stats = this.#stats;
    return this.#stats
      ? "From now on a line after each answer says how long it took."
      : "No more lines about the answers.";
  }

  #newAnswer(): Answer {
    return new Answer({ unfolded: this.#unfolded, stats: this.#stats, hint: this.#hint });
  }

  #hello(event: Extract<Received, { type: "hello" }>, columns: number): Line[] {
    this.isPrivate = event.private ?? false;
    this.questions = event.turns.map((turn) => turn.user);
    const lines = conversationLines(event.turns, columns);
    // Above a long conversation nobody would see them.
    const notices = (event.notices ?? []).flatMap((notice) => noticeLines(notice, columns));
    if (notices.length > 0) lines.push(...notices, []);
    this.#jobs.clear();
    for (const job of event.jobs ?? []) this.#jobs.set(job.job, job);
    this.#queue = event.pending?.queue ?? [];
    this.answer = null;
    if (event.pending) {
      this.answer = this.#last = this.#newAnswer();
      this.questions.push(event.pending.user);
      lines.push(...this.answer.catchUp(event.pending, columns));
    }
    return lines;
  }

  #ended(event: Received, columns: number): Line[] {
    const lines = this.answer?.receive(event, columns) ?? [];
    this.answer = null;
    return [...lines, []];
  }

  #conversation(event: Extract<Received, { type: "conversation" }>, columns: number): Line[] {
    this.answer = null;
    this.isPrivate = event.private ?? false;
    this.questions = event.turns.map((turn) => turn.user);
    const title = event.title ? `: ${event.title}` : "";
    const name =
      event.id !== null
        ? `Conversation ${event.id}${title}`
        : this.isPrivate
          ? "Private conversation: nothing of it is stored"
          : "New conversation";
    const rule: Line = [span(fit(cleanLine(`── ${name} `), columns), style.dim)];
    return [rule, [], ...conversationLines(event.turns, columns)];
  }

  #job(event: Job, columns: number): Line[] {
    if (event.state === "running") {
      this.#jobs.set(event.job, event);
      return [];
    }
    this.#jobs.delete(event.job);
    const gap: Line[] = this.answer ? [] : [[]];
    if (event.state === "failed") return [...errorLines(event, columns), ...gap];
    return [[span(jobText(event, columns), style.dim)], ...gap];
  }
}
