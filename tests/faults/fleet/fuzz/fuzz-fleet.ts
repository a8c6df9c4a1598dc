import type { StoreConfig } from "@levelset/fleet";
import { inconsistencies } from "../consistency.ts";
import { startFleet } from "../../../support/fleet/running-fleet.ts";
import { fuzz } from "./campaign.ts";
import type { FuzzOutcome } from "./campaign.ts";

/** Sends random requests to a new fleet. Inconsistencies of its store afterwards count as failures. */
export async function fuzzFleet(config: StoreConfig, count: number, seed: number): Promise<FuzzOutcome> {
  await using fleet = await startFleet(config);
  const outcome = await fuzz(fleet, count, seed);
  const damage = await inconsistencies(fleet.store, fleet.kinds);
  return { ...outcome, failures: [...outcome.failures, ...damage] };
}
