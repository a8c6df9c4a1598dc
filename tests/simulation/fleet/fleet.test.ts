import { expect, test } from "vitest";
import { simulateFleet } from "./fleet-campaign.ts";

test("a fleet with step adapters converges in 3 histories with faults", async () => {
  expect(await simulateFleet({ seeds: 3 })).toBe(3);
});
