import { expect, test } from "vitest";
import { surviveKills } from "./kill.ts";

test("fifty times killed at random moments of heavy writing, a store has lost nothing", async () => {
  expect(await surviveKills(50, 2)).toBeGreaterThan(5000);
}, 120_000);
