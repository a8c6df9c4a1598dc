import { realClock } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { shrinkCase } from "@levelset/simulation/internal";
import { drawFleetCase } from "./fleet-case.ts";
import type { FleetCase } from "./fleet-case.ts";
import { runFleetCase } from "./fleet-run.ts";
import type { FleetRunResult } from "./fleet-run.ts";
import { fleetStory } from "./fleet-story.ts";

/** Multiplier of seeds: neighbours would draw similar first numbers. */
const SEED_FACTOR = 0x9e37_79b1;

interface FleetFailure {
  readonly violation: string;
  readonly run: FleetRunResult;
}

/** Runs the cases of seeds and returns their number. Rejects with the shortest story of the first one that fails. */
export async function simulateFleet({
  seeds,
  firstSeed = 1,
  minutes = Number.POSITIVE_INFINITY,
}: FleetSeeds): Promise<number> {
  const until = realClock.monotonic() + minutes * 60_000;
  for (let done = 0; done < seeds; done++) {
    if (realClock.monotonic() >= until) return done;
    const story = await storyOfSeed(firstSeed + done);
    if (story !== undefined) throw new Error(story);
  }
  return seeds;
}

/** The seeds of a campaign. */
export interface FleetSeeds {
  readonly seeds: number;
  readonly firstSeed?: number;
  /** Stops after this time. Default: no limit. */
  readonly minutes?: number;
}

/** Returns the shortest story of the failure of a seed; undefined if it does not fail. */
export async function storyOfSeed(seed: number): Promise<string | undefined> {
  const drawn = drawFleetCase(seed, seededRandom(Math.imul(seed, SEED_FACTOR)));
  let failure = await examineFleet(drawn);
  if (failure === undefined) return undefined;
  const rule = ruleOf(failure);
  await shrinkCase(drawn, async (smaller) => {
    const again = await examineFleet(smaller);
    if (again === undefined || ruleOf(again) !== rule) return false;
    failure = again;
    return true;
  });
  return fleetStory(seed, failure.violation, failure.run.events);
}

/** Performs a case without its faults and with them, and compares the ends. */
export async function examineFleet(fleetCase: FleetCase): Promise<FleetFailure | undefined> {
  const reference = await runFleetCase({ ...fleetCase, faults: [] });
  if (reference.violation !== undefined) return { violation: reference.violation, run: reference };
  if (fleetCase.faults.length === 0) return undefined;
  const faulty = await runFleetCase(fleetCase);
  if (faulty.violation !== undefined) return { violation: faulty.violation, run: faulty };
  // A name cannot be used again while its old resource is still being deleted, which faults may delay.
  if (faulty.refused.join() !== reference.refused.join()) return undefined;
  const difference = differenceOf(reference, faulty);
  return difference === undefined ? undefined : { violation: difference, run: faulty };
}

function differenceOf({ end: expected }: FleetRunResult, { end: actual }: FleetRunResult): string | undefined {
  const missing = expected.lines.find((line) => !actual.lines.includes(line));
  const extra = actual.lines.find((line) => !expected.lines.includes(line));
  if (missing === undefined && extra === undefined) return undefined;
  return `the end differs from that without faults:\n  - ${missing ?? ""}\n  + ${extra ?? ""}`;
}

/** Returns the violated rule without the names and numbers of one case. */
function ruleOf({ violation }: FleetFailure): string {
  return violation.replaceAll(/\d+|[0-9a-f-]{36}|\n.*$/gsu, "");
}
