import { jitter } from "@levelset/core";
import type { Random } from "@levelset/core";

/** Limits of an exponential backoff. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Relative jitter in both directions. */
const JITTER = 0.2;

/** Returns the delay before attempt `failures + 1`: doubles with every failure up to the maximum, with jitter. */
export function backoffMs(failures: number, limits: BackoffLimits, random: Random): number {
  const doubled = limits.firstMs * 2 ** Math.min(30, Math.max(0, failures - 1));
  return jitter(random, Math.min(limits.maxMs, doubled), JITTER);
}
