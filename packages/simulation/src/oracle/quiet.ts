import { isWatch, isWrite } from "@levelset/core/testing";
import type { Violation } from "../violation/index.ts";
import type { SentRequest, Snapshot } from "../world/index.ts";
import { compareSnapshots } from "../world/index.ts";

/** A time without operations and faults. */
export interface RestWindow {
  readonly ms: number;
  readonly requests: readonly SentRequest[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Why the cluster never became idle. */
  readonly hotLoop: string | undefined;
}

/** Writes to one object at rest that are not noise. */
const WRITES_MAX = 2;
/** Reads of one path in ten minutes from which a process polls. Refused writes are retried with back-off, up to this. */
const REQUESTS_PER_TEN_MINUTES = 20;

/** Finds loops, writes without effect and polling while nothing happens. */
export function findUnrest({ ms, requests, before, after, hotLoop }: RestWindow): readonly Violation[] {
  if (hotLoop !== undefined) return [loopViolation(hotLoop)];
  const limit = (REQUESTS_PER_TEN_MINUTES * ms) / 600_000;
  const writes = requests.filter((request) => isWrite(request) && !isBookkeeping(request));
  const [path, count] =
    [...countByPath(writes.filter(({ code }) => code < 400))].find(([, each]) => each > WRITES_MAX) ??
    [...countByPath(writes)].find(([, each]) => each > limit) ??
    [];
  if (path !== undefined && compareSnapshots(before, after).length === 0) {
    const message = `${count} writes to ${path} in ${ms / 60_000} minutes, although nothing changes.`;
    return [{ rule: "writes-at-rest", message, expected: "An object at rest is not written." }];
  }
  const reads = countByPath(
    requests.filter((request) => request.method === "GET" && !isWatch(request) && !isBookkeeping(request)),
  );
  const [polled, times] = [...reads].find(([, each]) => each > limit) ?? [];
  if (polled === undefined) return [];
  const message = `${times} reads of ${polled} in ${ms / 60_000} minutes at rest.`;
  return [{ rule: "polls-at-rest", message, expected: "Declared inputs are watched, not polled." }];
}

/** Returns the violation of a cluster that never becomes idle. */
export function loopViolation(hotLoop: string): Violation {
  const expected = "The cluster becomes idle after every change.";
  return { rule: "hot-loop", message: `The operator does not come to rest; ${hotLoop}.`, expected };
}

function isBookkeeping({ path }: SentRequest): boolean {
  return /\/(?:events|leases)(?:\/|$)/u.test(path);
}

function countByPath(requests: readonly SentRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of requests) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
