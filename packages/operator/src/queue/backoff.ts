import { jitter } from "@levelset/core";
import type { Random } from "@levelset/core";

/** Bounds of a growing delay. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** By how much a delay varies, up and down. */
const JITTER = 0.2;

/** The delay before try number `failures + 1`: doubles with every failure up to the maximum, varied so that tries spread out. */
export function backoffMs(failures: number, limits: BackoffLimits, random: Random): number {
  const doubled = limits.firstMs * 2 ** Math.min(30, Math.max(0, failures - 1));
  return jitter(random, Math.min(limits.maxMs, doubled), JITTER);
}
