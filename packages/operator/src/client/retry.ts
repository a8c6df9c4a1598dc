import { jitter, StatusError, TransportError } from "@levelset/core";
import type { Clock, Random } from "@levelset/core";

/** What repeating needs: without it nothing is repeated. */
export interface RetryWorld {
  readonly clock: Clock;
  readonly random: Random;
}

/** What decides about repeating a request. */
interface Repeatable {
  readonly method: string;
  readonly signal?: AbortSignal | undefined;
  readonly retryThrottled?: boolean | undefined;
}

/** How often one request is sent at most. */
const TRIES_MAX = 4;
/** Who is asked to wait longer than this hears of it instead. */
const WAIT_MAX_MS = 10_000;
const LOST_ANSWER_MS = 100;

/**
 * Sends a request again where that is safe: the server asked for it before doing anything (429), or it was a read. A write whose
 * fate is unknown is never sent twice; that is for its author to decide, who knows what it was for.
 */
export async function withRetries<T>(
  world: RetryWorld | undefined,
  exchange: Repeatable,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = world === undefined || tries === TRIES_MAX ? undefined : repeatAfterMs(error, exchange, tries);
      if (world === undefined || delayMs === undefined) throw error;
      await world.clock.sleep(jitter(world.random, delayMs, 0.2), exchange.signal);
    }
  }
}

/** How long to wait before the same request may be sent again; undefined when it may not. */
function repeatAfterMs(error: unknown, exchange: Repeatable, tries: number): number | undefined {
  const isRead = exchange.method === "GET";
  if (error instanceof TransportError) return isRead && tries === 1 ? LOST_ANSWER_MS : undefined;
  if (!(error instanceof StatusError)) return undefined;
  const seconds = error.details?.retryAfterSeconds;
  if (seconds === undefined || seconds * 1_000 > WAIT_MAX_MS) return undefined;
  const isThrottled = error.reason === "TooManyRequests" && exchange.retryThrottled !== false;
  const isUntouched = isThrottled || (isRead && error.code >= 500);
  return isUntouched ? seconds * 1_000 : undefined;
}
