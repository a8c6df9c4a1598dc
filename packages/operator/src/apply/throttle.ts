import { backoffBaseMs } from "@levelset/core/internal";
import type { BackoffLimits } from "@levelset/core/internal";

/** Limits from which repeated events count as a loop, and the delays between events of a loop. */
export interface ThrottleLimits extends Pick<BackoffLimits, "firstMs" | "maxMs"> {
  /** Events within the window that make a loop. */
  readonly max: number;
  readonly windowMs: number;
}

/** Recent events and the resulting delay, in monotonic time. Immutable. */
export interface Throttle {
  readonly times: readonly number[];
  /** How often the delay has grown; 0 while there is no loop. */
  readonly level: number;
  /** The earliest time of the next attempt. */
  readonly notBefore: number;
}

/** A throttle without events. */
export const CALM: Throttle = { times: [], level: 0, notBefore: Number.NEGATIVE_INFINITY };

/**
 * Counts one more event. An event that occurs a whole window after the last delay ends the loop and starts a new count.
 */
export function counted({ times, level, notBefore }: Throttle, now: number, limits: ThrottleLimits): Throttle {
  const { max, windowMs } = limits;
  const recent = [...times.filter((at) => at > now - windowMs), now].slice(-max);
  if (recent.length < max && (level === 0 || now > notBefore + windowMs)) {
    return { times: recent, level: 0, notBefore };
  }
  return { times: recent, level: level + 1, notBefore: now + backoffBaseMs(level + 1, limits) };
}

/** Returns the delay until the next attempt. */
export function delayMs({ notBefore }: Throttle, now: number): number {
  return Math.max(0, notBefore - now);
}
