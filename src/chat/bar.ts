// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How far a long piece of work is: a bar, sizes and the time left, in words for people.
import type { Job } from "../message.ts";
import { cleanLine } from "./clean.ts";
import { fit } from "./width.ts";

/** "1.1 GB"; steps of 1000, as downloads and disks are labelled. */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** "1.2 s", "48 s", "3 min 20 s", "2 h 5 min", "4 d 3 h", from milliseconds. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (seconds < 600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function bar(part: number, columns: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * columns);
  return "█".repeat(full) + "░".repeat(columns - full);
}

const verbs: Record<Job["kind"], string> = {
  engine: "Fetching the engine",
  model: "Fetching the model",
  load: "Loading the model",
  backup: "Writing the backup",
  index: "Building the index",
};
const counted = (job: Job) => job.kind === "engine" || job.kind === "model";

/** Remembers when each job was first seen, for the time left. */
export class JobClock {
  readonly #seen = new Map<string, { at: number; done: number }>();

  /** Milliseconds left, or null while it cannot be told. `now` in milliseconds. */
  left(job: Job, now: number): number | null {
    const first = this.#seen.get(job.job);
    if (!first || job.done < first.done) {
      this.#seen.set(job.job, { at: now, done: job.done });
      return null;
    }
    const speed = (job.done - first.done) / (now - first.at);
    if (job.total <= 0 || !Number.isFinite(speed) || speed <= 0 || now - first.at < 1000)
      return null;
    return (job.total - job.done) / speed;
  }
}

/** One line about a job, at most `columns` wide. */
export function jobText(job: Job, columns: number, left: number | null = null): string {
  const message = cleanLine(job.message);
  const what = message ? `${verbs[job.kind].split(" ")[0]} ${message}` : verbs[job.kind];
  // Of a failed or cancelled job the message is the reason, not its name.
  if (job.state === "done") return fit(`${what}: done`, columns);
  if (job.state !== "running") return fit(`${verbs[job.kind]}: ${job.state}`, columns);
  if (job.total <= 0) return fit(`${what} …`, columns);
  const percent = `${Math.floor((job.done / job.total) * 100)} %`;
  // The daemon's own words name the size already.
  const amount = counted(job) && message === "" ? ` of ${size(job.total)}` : "";
  const time = left === null ? "" : `, ${duration(left)} left`;
  const text = ` ${percent}${amount}${time}`;
  const room = columns - text.length - what.length - 1;
  const drawn = room >= 10 ? ` ${bar(job.done / job.total, Math.min(24, room))}` : "";
  return fit(`${what}${drawn}${text}`, columns);
}
