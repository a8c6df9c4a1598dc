import { isWatch, isWrite } from "@levelset/core/testing";
import type { Difference, Violation } from "../violation/index.ts";
import type { SentRequest, Snapshot } from "../world/index.ts";
import { compareSnapshots, describeKey, isBookkeeping } from "../world/index.ts";

/** A time without operations and faults. */
export interface RestWindow {
  readonly ms: number;
  readonly requests: readonly SentRequest[];
  /** The key of the object of each run of an operator. */
  readonly runs: readonly string[];
  /** Whether objects were created or deleted, Secrets renewed, or external effects made. */
  readonly isAtWork: boolean;
  /** Paths that differ between equal worlds. */
  readonly noise: ReadonlySet<string>;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Why the cluster never became idle. */
  readonly hotLoop: string | undefined;
}

/** Writes to one object at rest that are not noise. */
const WRITES_MAX = 2;
/** Reads of one path in ten minutes from which a process polls. Refused writes are retried with back-off, up to this. */
const REQUESTS_PER_TEN_MINUTES = 20;
/** Writes of one object at rest that change times, random values and counters only. Certificates are renewed less often. */
const NOISY_WRITES_MAX = 3;
/** Runs of one object in ten minutes from which it is in a loop. A service may be polled every second. */
const RUNS_PER_TEN_MINUTES = 700;

/** Finds loops, writes without effect and polling while nothing happens. */
export function findUnrest(window: RestWindow): readonly Violation[] {
  if (window.hotLoop !== undefined) return [loopViolation(window.hotLoop)];
  const found = findWrites(window) ?? findPolling(window) ?? findRuns(window);
  return found === undefined ? [] : [found];
}

function findWrites(window: RestWindow): Violation | undefined {
  const { ms, before, after } = window;
  const writes = window.requests.filter((request) => isWrite(request) && !isBookkeeping(request));
  const done = countOf(writes.filter(({ code }) => code < 400).map(pathOf));
  const minutes = `in ${ms / 60_000} minutes`;
  const expected = "An object at rest is not written.";
  if (compareSnapshots(before, after).length === 0) {
    const [path, count] = firstAbove(done, WRITES_MAX) ?? firstAbove(countOf(writes.map(pathOf)), limitOf(ms)) ?? [];
    if (path === undefined) return undefined;
    const message = `${count} writes to ${path} ${minutes}, although nothing changes.`;
    return { rule: "writes-at-rest", message, expected };
  }
  const [path, count] = isNoisy(window) ? (firstAbove(done, NOISY_WRITES_MAX) ?? []) : [];
  if (path === undefined) return undefined;
  const message = `${count} writes to ${path} ${minutes}, although only times, random values or counters change.`;
  return { rule: "writes-at-rest", message, expected };
}

/** Reports whether nothing changes but noise and counters in the status, and that is no part of periodic work. */
function isNoisy({ before, after, noise, isAtWork }: RestWindow): boolean {
  if (isAtWork || ![...after.roots.values()].every(Boolean)) return false;
  return compareSnapshots(before, after, noise).every(isCounter);
}

function isCounter({ path, expected, actual }: Difference): boolean {
  return path.startsWith("status.") && [expected, actual].every((text) => NUMBER.test(text ?? ""));
}

const NUMBER = /^-?[\d.]+$/u;

function findPolling({ ms, requests }: RestWindow): Violation | undefined {
  const reads = requests.filter((each) => each.method === "GET" && !isWatch(each) && !isBookkeeping(each));
  const [path, count] = firstAbove(countOf(reads.map(pathOf)), limitOf(ms)) ?? [];
  if (path === undefined) return undefined;
  const message = `${count} reads of ${path} in ${ms / 60_000} minutes at rest.`;
  return { rule: "polls-at-rest", message, expected: "Declared inputs are watched, not polled." };
}

function findRuns({ ms, runs }: RestWindow): Violation | undefined {
  const [key, count] = firstAbove(countOf(runs), (RUNS_PER_TEN_MINUTES * ms) / 600_000) ?? [];
  if (key === undefined) return undefined;
  const object = describeKey(key);
  const message = `${object} is reconciled ${count} times in ${ms / 60_000} minutes at rest.`;
  return { rule: "hot-loop", object, message, expected: "An object at rest is reconciled rarely, or not at all." };
}

/** Returns the violation of a cluster that never becomes idle. */
export function loopViolation(hotLoop: string): Violation {
  const expected = "The cluster becomes idle after every change.";
  return { rule: "hot-loop", message: `The operator does not come to rest; ${hotLoop}.`, expected };
}

function limitOf(ms: number): number {
  return (REQUESTS_PER_TEN_MINUTES * ms) / 600_000;
}

function pathOf({ path }: SentRequest): string {
  return path;
}

function countOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function firstAbove(counts: ReadonlyMap<string, number>, limit: number): readonly [string, number] | undefined {
  return [...counts].find(([, count]) => count > limit);
}
