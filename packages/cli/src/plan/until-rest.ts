import { untilIdle } from "@levelset/core/testing";
import type { VirtualClock } from "@levelset/core/testing";
import type { Clock } from "@levelset/core";

/** A system under a virtual clock. */
export interface RestingSystem {
  readonly clock: VirtualClock;
  /** Number of writes so far. */
  readonly writes: () => number;
  /** Whether work is in progress or due. */
  readonly isBusy: () => boolean;
}

/** Virtual time without writes after which a system rests: retries and polls are repeated in it. */
const QUIET_MS = 60_000;
/** Virtual time after which a system that still writes does not come to rest. */
const LIMIT_MS = 600_000;
const STEP_MS = 1_000;
/** Turns of the event loop without progress after which work that is in progress waits for a timer or for the network. */
const TURNS_MAX = 50;
/** Real time between two looks at work that may wait for the network, and the number of looks. */
const NETWORK = { pollMs: 10, polls: 20 } as const;
/** Rounds of work without a pause after which a system is assumed to loop. */
const ROUNDS_MAX = 20_000;

/**
 * Advances the clock until there are no more writes. Returns false if the system still writes after ten minutes, or
 * writes without end at one moment. `real` measures the time that work needs which waits for no timer, such as a request
 * of a step over the network.
 */
export async function untilRest(system: RestingSystem, real: Clock, signal: AbortSignal): Promise<boolean> {
  const { clock, writes } = system;
  const endAt = clock.now() + LIMIT_MS;
  let quietSince = clock.now();
  let seen = writes();
  while (clock.now() < endAt) {
    signal.throwIfAborted();
    if (!(await untilDrained(system, real, signal))) return false;
    if (writes() !== seen) quietSince = clock.now();
    seen = writes();
    if (clock.now() - quietSince >= QUIET_MS) return true;
    await clock.advance(STEP_MS);
  }
  return false;
}

/** Waits until the work that is due now is done, or waits for a timer. Returns false if it does not end. */
async function untilDrained(system: RestingSystem, real: Clock, signal: AbortSignal): Promise<boolean> {
  let turns = 0;
  let polls = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = system.writes();
    await untilIdle();
    if (system.writes() !== before) {
      [turns, polls] = [0, 0];
      continue;
    }
    turns++;
    if (!system.isBusy() && turns > 1) return true;
    if (turns <= TURNS_MAX) continue;
    if (polls === NETWORK.polls) return true;
    polls++;
    await real.sleep(NETWORK.pollMs, signal);
  }
  return false;
}
