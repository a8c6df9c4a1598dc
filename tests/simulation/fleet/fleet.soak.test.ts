import { expect, test } from "vitest";
import { simulateFleet } from "./fleet-campaign.ts";

/** Other histories than those of the full suite, as many as ten minutes allow. */
const LIMITS = { firstSeed: 1_000, seeds: 10_000, minutes: 10 };

test("a fleet with step adapters converges in up to 10,000 histories with faults", async () => {
  expect(await simulateFleet(LIMITS)).toBeGreaterThan(0);
});
