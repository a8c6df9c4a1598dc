import { realClock, toError } from "@levelset/core";
import type { Clock } from "@levelset/core";

/** Options of {@link eventually}. The defaults suit a busy machine. */
export interface EventuallyOptions {
  /** The clock that passes between two polls. Default: the real one. */
  readonly clock?: Pick<Clock, "now" | "sleep">;
  /** Default 30 seconds. */
  readonly timeoutMs?: number;
  /** Default 20 milliseconds. */
  readonly pollMs?: number;
}

/**
 * Polls until there is a value that is neither undefined nor false, and returns it. An error of `poll` means "not yet";
 * the last one is the cause of the timeout.
 */
export async function eventually<T>(
  what: string,
  poll: () => T | undefined | false | Promise<T | undefined | false>,
  { clock = realClock, timeoutMs = 30_000, pollMs = 20 }: EventuallyOptions = {},
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
