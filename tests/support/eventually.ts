import { realClock } from "@levelset/core";
import { pollUntil } from "./poll-until.ts";
import type { Polled } from "./poll-until.ts";

/** Waits in real time for a value that is neither undefined nor false. The defaults suit a busy machine. */
export function eventually<T>(
  what: string,
  poll: () => Polled<T>,
  { timeoutMs = 30_000, pollMs = 20 }: { readonly timeoutMs?: number; readonly pollMs?: number } = {},
): Promise<T> {
  return pollUntil(what, poll, { clock: realClock, timeoutMs, pollMs });
}
