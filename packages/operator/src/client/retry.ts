import { BACKOFFS, jitter, retryAfterOf } from "@levelset/core/internal";
import { StatusError, TransportError } from "@levelset/core";
import type { Clock, Random } from "@levelset/core";
import { pauseOf, RETRY_AFTER_MAX_MS } from "./request-throttle.ts";
import type { RequestThrottle } from "./request-throttle.ts";

/** Dependencies of retries. Without them requests are not retried. */
export interface RetryDependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/** The parts of a transport that retries use. */
interface RetryTransport {
  readonly retry?: RetryDependencies | undefined;
  readonly throttle?: RequestThrottle | undefined;
}

/** The request properties that determine whether it is retried. */
interface Repeatable {
  readonly method: string;
  readonly signal?: AbortSignal | undefined;
  readonly retryThrottled?: boolean | undefined;
}

/** Maximum number of attempts. */
const TRIES_MAX = 4;

/**
 * Retries a request where that is safe: after a 429 response, which the server sends before it executes the request, or
 * if it is a read. A write with an unknown outcome is never sent twice; the caller must decide. Rejects with the error
 * of the last attempt, at once if its Retry-After is long.
 */
export async function withRetries<T>(
  { retry: dependencies, throttle }: RetryTransport,
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
      // The throttle has paused all requests, and the next attempt waits there.
      if (throttle !== undefined && pauseOf(error) !== undefined) continue;
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
  const delayMs = retryAfterOf(error);
  if (delayMs === undefined || delayMs > RETRY_AFTER_MAX_MS) return undefined;
  const isThrottled = error.reason === "TooManyRequests" && request.retryThrottled !== false;
  const isUntouched = isThrottled || (isRead && error.code >= 500);
  return isUntouched ? delayMs : undefined;
}
