import { toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";

/** The result of a poll: undefined and false mean "not yet". */
export type Polled<T> = T | undefined | false | Promise<T | undefined | false>;

/** Options of {@link pollUntil}. */
export interface PollOptions {
  /** The clock that passes between two polls. */
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly timeoutMs: number;
  readonly pollMs: number;
}

/**
 * Polls until there is a value that is neither undefined nor false, and returns it. An error of `poll` means "not yet";
 * the last one is the cause of the timeout.
 */
export async function pollUntil<T>(
  what: string,
  poll: () => Polled<T>,
  { clock, timeoutMs, pollMs }: PollOptions,
): Promise<T> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    let cause: Error | undefined;
    try {
      const found = await poll();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      cause = toError(error);
    }
    if (clock.now() >= deadline) {
      const reason = cause === undefined ? "" : `: ${cause.message}`;
      throw new Error(`not within ${timeoutMs} ms: ${what}${reason}`, { cause });
    }
    await clock.sleep(pollMs);
  }
}
