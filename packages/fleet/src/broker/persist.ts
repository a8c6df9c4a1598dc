import { toError } from "@levelset/core";
import type { Clock, Random } from "@levelset/core";
import { backoffMs } from "@levelset/operator";
import { BrokerUnavailable } from "./errors.ts";
import { within } from "./within.ts";

const RETRY = { firstMs: 50, maxMs: 2_000 };

/** For how long something is tried, and what for. */
export interface Persistence {
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  /** What is being done, for the error. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** An error that comes again however often one tries. */
  readonly isFinal: (error: Error) => boolean;
  /** Whether there is nobody to try it with any more. */
  readonly isOver: () => boolean;
}

/** Does something again and again until it succeeds: servers restart. Rejects with `BrokerUnavailable` when time is up. */
export async function persist<T>(options: Persistence, once: () => Promise<T>): Promise<T> {
  const { clock, random, timeoutMs, what, signal, isFinal, isOver } = options;
  const until = clock.monotonic() + timeoutMs;
  for (let failures = 1; ; failures++) {
    try {
      return await within({ clock, ms: until - clock.monotonic(), what, signal }, once());
    } catch (thrown) {
      const error = toError(thrown);
      if (error instanceof BrokerUnavailable || isFinal(error)) throw error;
      const delayMs = backoffMs(failures, RETRY, random);
      if (isOver() || clock.monotonic() + delayMs >= until)
        throw new BrokerUnavailable(`${what}: ${error.message}`, { cause: error });
      await within({ clock, ms: timeoutMs, what, signal }, clock.sleep(delayMs));
    }
  }
}
