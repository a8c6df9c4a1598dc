import { backoffBaseMs, BACKOFFS } from "@levelset/core/internal";
/**
 * Adapters with alternating verdicts. Each verdict change makes a pulse due, since other adapters may wait for it, and
 * each pulse may make the adapter change its verdict again: without a limit the fleet loops. So the first few changes
 * are sent at once, later ones after a delay that doubles up to the not-ready TTL, and the condition `Flapping` names
 * the adapter until it is stable. A new generation resets this.
 */
/** Type of the condition that names flapping adapters. It exists only while an adapter flaps. */
export const FLAPPING_TYPE = "Flapping";

/**
 * Verdict changes per generation that are sent at once: not available, available, and one relapse with its recovery.
 */
export const FLIPS_FREE = 3;

/** An adapter is stable after this many not-ready TTLs without a verdict change. */
const STEADY_TTLS = 3;

/** Verdict changes of an adapter at one generation without a stable period in between. Times are intake times. */
export interface Flips {
  readonly count: number;
  /** Time of the first change. */
  readonly sinceTime: number;
  /** Time of the last change. */
  readonly latestTime: number;
  /** Time at which the adapter is stable unless it changes again. */
  readonly steadyTime: number;
}

/** A verdict as input of the flapping detection. */
export interface VerdictChange {
  /** Whether it differs from the previous verdict. */
  readonly isFlipped: boolean;
  /** Whether it is the first of its generation. */
  readonly isNewGeneration: boolean;
  readonly now: number;
  readonly notReadyMs: number;
}

/** Returns the flips after a verdict; undefined for a stable adapter. */
export function nextFlips(
  before: Flips | undefined,
  { isFlipped, isNewGeneration, now, notReadyMs }: VerdictChange,
): Flips | undefined {
  if (isNewGeneration) return undefined;
  const known = before !== undefined && isUnsteady(before, now) ? before : undefined;
  if (!isFlipped) return known;
  const { count = 0, sinceTime = now } = known ?? {};
  return { count: count + 1, sinceTime, latestTime: now, steadyTime: now + STEADY_TTLS * notReadyMs };
}

/**
 * A clock set back to before the first change makes an adapter stable; otherwise it would flap until the clock catches
 * up.
 */
function isUnsteady({ sinceTime, steadyTime }: Flips, now: number): boolean {
  return sinceTime <= now && now < steadyTime;
}

/**
 * Returns the delay from the last report to the next pulse of a flapping adapter; undefined if it does not flap. The
 * delay applies until a report shows that the adapter is stable, since there is no report without a pulse.
 */
export function flappingDelayMs(flips: Flips | undefined, notReadyMs: number): number | undefined {
  if (flips === undefined || flips.count <= FLIPS_FREE) return undefined;
  return backoffBaseMs(flips.count - FLIPS_FREE, { ...BACKOFFS.flapping, maxMs: notReadyMs });
}

/** Returns whether an adapter flaps: its verdict changed too often and recently. */
export function isFlapping(flips: Flips | undefined, now: number): flips is Flips {
  return flips !== undefined && flips.count > FLIPS_FREE && isUnsteady(flips, now);
}
