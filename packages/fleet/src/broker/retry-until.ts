import { backoffMs, BACKOFFS, toError } from "@levelset/core/internal";
import type { Clock, Random } from "@levelset/core";
import { BrokerUnavailableError } from "./broker-errors.ts";
import { withDeadline } from "./with-deadline.ts";

/** Limits of {@link retryUntil}. */
export interface RetryUntilOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  /** The operation, for the error message. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** Returns true for errors that a retry cannot fix. */
  readonly isPermanent: (error: Error) => boolean;
  /** Returns true if retrying must stop, because the broker is closed. */
  readonly isStopped: () => boolean;
}

/**
 * Retries an operation until it succeeds, because servers restart. Rejects with `BrokerUnavailableError` after the
 * timeout, and with permanent errors at once.
 */
export async function retryUntil<T>(options: RetryUntilOptions, once: () => Promise<T>): Promise<T> {
  const { clock, random, timeoutMs, what, signal, isPermanent, isStopped } = options;
  const until = clock.monotonic() + timeoutMs;
  for (let failures = 1; ; failures++) {
    try {
      return await withDeadline({ clock, ms: until - clock.monotonic(), what, signal }, once());
    } catch (thrown) {
      const error = toError(thrown);
      if (error instanceof BrokerUnavailableError || isPermanent(error)) throw error;
      const delayMs = backoffMs(failures, BACKOFFS.brokerRequest, random);
      if (isStopped() || clock.monotonic() + delayMs >= until)
        throw new BrokerUnavailableError(`${what}: ${error.message}`, { cause: error });
      await withDeadline({ clock, ms: timeoutMs, what, signal }, clock.sleep(delayMs));
    }
  }
}
