import { jitter } from "../time/index.ts";
import type { Random } from "../time/index.ts";

/** Limits of a backoff. */
export interface BackoffLimits {
  /** The delay after the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** Growth with every further failure. Default 2. */
  readonly factor?: number;
  /** Relative jitter in both directions. Default 0.2. */
  readonly jitter?: number;
}

/** The factor and jitter of limits that name none. */
export const BACKOFF_DEFAULTS = { factor: 2, jitter: 0.2 } as const;

/** Returns the delay before attempt `failures + 1`: grows with every failure up to the maximum, with jitter. */
export function backoffMs(failures: number, limits: BackoffLimits, random: Random): number {
  return jitter(random, backoffBaseMs(failures, limits), limits.jitter ?? BACKOFF_DEFAULTS.jitter);
}

/** Returns the delay of {@link backoffMs} without jitter. */
export function backoffBaseMs(
  failures: number,
  { firstMs, maxMs, factor = BACKOFF_DEFAULTS.factor }: BackoffLimits,
): number {
  // Bounds the exponent: 0 ms times an infinite factor is not a number.
  return Math.min(maxMs, firstMs * factor ** Math.min(30, Math.max(0, failures - 1)));
}
