import type { StoreConfig } from "@levelset/fleet";
import { inconsistencies } from "../consistency.ts";
import { startFleet } from "../harness.ts";
import { fuzz } from "./campaign.ts";
import type { FuzzOutcome } from "./campaign.ts";

/** Sends made-up requests to a new fleet. What does not fit together in its store afterwards is a failure, too. */
export async function fuzzed(config: StoreConfig, count: number, seed: number): Promise<FuzzOutcome> {
  await using fleet = await startFleet(config);
  const outcome = await fuzz(fleet, count, seed);
  const damage = await inconsistencies(fleet.store, fleet.kinds);
  return { ...outcome, failures: [...outcome.failures, ...damage] };
}
