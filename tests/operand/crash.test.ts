import { expect, test } from "vitest";
import { liveAndDie } from "./mortals.ts";

test("50 · killed after every single write while specs flip at random: the invariants hold, the end is right", async () => {
  const { deaths, events } = await liveAndDie({ seed: 50, flips: 25, writesOfALife: () => 1 });
  expect(deaths).toBeGreaterThan(50);
  expect(events).toBeGreaterThan(100);
}, 60_000);
