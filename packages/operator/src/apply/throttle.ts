/** When events that repeat count as a loop, and how long the delays between them then are. */
export interface ThrottleLimits {
  /** Events within the window that make a loop. */
  readonly max: number;
  readonly windowMs: number;
  /** The first delay; it doubles while the loop goes on. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The events of late, and what follows from them, in monotonic time. Immutable. */
export interface Throttle {
  readonly times: readonly number[];
  /** How often the delay has grown; 0 while there is no loop. */
  readonly level: number;
  /** The earliest time of the next attempt. */
  readonly notBefore: number;
}

/** No events yet. */
export const CALM: Throttle = { times: [], level: 0, notBefore: Number.NEGATIVE_INFINITY };

/** Keeps 2 ** level a number that can be multiplied. */
const LEVEL_MAX = 30;

/** Counts one more event. The loop ends by itself: an event that comes a whole window after the last delay is the first of a new count. */
export function counted({ times, level, notBefore }: Throttle, now: number, limits: ThrottleLimits): Throttle {
  const { max, windowMs, firstMs, maxMs } = limits;
  const recent = [...times.filter((at) => at > now - windowMs), now].slice(-max);
  if (recent.length < max && (level === 0 || now > notBefore + windowMs)) {
    return { times: recent, level: 0, notBefore };
  }
  const delayMs = Math.min(maxMs, firstMs * 2 ** level);
  return { times: recent, level: Math.min(LEVEL_MAX, level + 1), notBefore: now + delayMs };
}

/** How long the next attempt has to wait. */
export function delayMs({ notBefore }: Throttle, now: number): number {
  return Math.max(0, notBefore - now);
}
