/**
 * Adapters whose verdict alternates. Each change of a verdict makes a pulse due, since other adapters may wait for it, and each pulse may make such
 * an adapter change its verdict again: without a limit the fleet spins. So the first few changes are sent at once, later ones after a delay that
 * doubles up to the not-ready TTL, and the adapter is named by the condition `Flapping` until it is steady. A new generation starts afresh.
 */
/** The type of the condition that names flapping adapters. It is there only while an adapter flaps. */
export const FLAPPING_TYPE = "Flapping";

/** Changes of a verdict at one generation that are sent at once: not available, available, and a relapse with its end. */
export const FLIPS_FREE = 3;

const FIRST_DELAY_MS = 1_000;
/** An adapter is steady when its verdict has not changed for so many not-ready TTLs. */
const STEADY_TTLS = 3;

/** How often an adapter has changed its verdict at one generation without a steady time in between. Times are those of the intake. */
export interface Flips {
  readonly count: number;
  /** When it first did. */
  readonly sinceTime: number;
  /** When it last did. */
  readonly latestTime: number;
  /** When it is steady, unless it changes again. */
  readonly steadyTime: number;
}

/** A verdict as flapping is judged by it. */
export interface VerdictChange {
  /** Whether it says something else than the verdict before. */
  readonly isFlipped: boolean;
  /** Whether it is the first at its generation. */
  readonly isNewGeneration: boolean;
  readonly now: number;
  readonly notReadyMs: number;
}

/** What is remembered after a verdict; undefined for an adapter that is steady. */
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

/** A clock that was set back to before the first change makes an adapter steady: it would else take as long to catch up. */
function isUnsteady({ sinceTime, steadyTime }: Flips, now: number): boolean {
  return sinceTime <= now && now < steadyTime;
}

/**
 * How long after its last report an adapter that flaps is pulsed again; undefined for one that does not flap. It holds until a report shows that the
 * adapter is steady: without a pulse there would be none.
 */
export function flappingDelayMs(flips: Flips | undefined, notReadyMs: number): number | undefined {
  if (flips === undefined || flips.count <= FLIPS_FREE) return undefined;
  return Math.min(notReadyMs, FIRST_DELAY_MS * 2 ** Math.min(flips.count - FLIPS_FREE - 1, 30));
}

/** Whether an adapter flaps: its verdict has changed too often, and lately. */
export function isFlapping(flips: Flips | undefined, now: number): flips is Flips {
  return flips !== undefined && flips.count > FLIPS_FREE && isUnsteady(flips, now);
}
