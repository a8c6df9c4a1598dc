import { BACKOFFS, jitter } from "@levelset/core/internal";
import { StatusError, TransportError } from "@levelset/core";
import type { Clock, Random } from "@levelset/core";

/** Dependencies of retries. Without them requests are not retried. */
export interface RetryDependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/** The request properties that determine whether it is retried. */
interface Repeatable {
  readonly method: string;
  readonly signal?: AbortSignal | undefined;
  readonly retryThrottled?: boolean | undefined;
}

/** Maximum number of attempts. */
const TRIES_MAX = 4;
/** Maximum delay; a longer Retry-After fails the request at once. */
const WAIT_MAX_MS = 10_000;

/**
 * Retries a request where that is safe: after a 429 response, which the server sends before it executes the request, or
 * if it is a read. A write with an unknown outcome is never sent twice; the caller must decide. Rejects with the error
 * of the last attempt.
 */
export async function withRetries<T>(
  dependencies: RetryDependencies | undefined,
  request: Repeatable,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs =
        dependencies === undefined || tries === TRIES_MAX ? undefined : repeatAfterMs(error, request, tries);
      if (dependencies === undefined || delayMs === undefined) throw error;
      await dependencies.clock.sleep(
        jitter(dependencies.random, delayMs, BACKOFFS.lostResponse.jitter),
        request.signal,
      );
    }
  }
}

/** Returns the delay before the next attempt, or undefined if the request must not be retried. */
function repeatAfterMs(error: unknown, request: Repeatable, tries: number): number | undefined {
  const isRead = request.method === "GET";
  if (error instanceof TransportError) return isRead && tries === 1 ? BACKOFFS.lostResponse.firstMs : undefined;
  if (!(error instanceof StatusError)) return undefined;
  const seconds = error.details?.retryAfterSeconds;
  if (seconds === undefined || seconds * 1_000 > WAIT_MAX_MS) return undefined;
  const isThrottled = error.reason === "TooManyRequests" && request.retryThrottled !== false;
  const isUntouched = isThrottled || (isRead && error.code >= 500);
  return isUntouched ? seconds * 1_000 : undefined;
}
