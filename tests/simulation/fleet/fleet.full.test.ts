import { expect, test } from "vitest";
import { simulateFleet } from "./fleet-campaign.ts";

test("a fleet with step adapters converges in 60 histories with faults", async () => {
  expect(await simulateFleet({ seeds: 60 })).toBe(60);
});
