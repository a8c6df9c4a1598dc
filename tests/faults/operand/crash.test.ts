import { expect, test } from "vitest";
import { runCrashLoop } from "./crash-loop.ts";

test("crashes after each write while specs change at random: the invariants hold, the last specs are reached", async () => {
  const { crashes, events } = await runCrashLoop({ seed: 50, specChanges: 25, writesBeforeCrash: () => 1 });
  expect(crashes).toBeGreaterThan(50);
  expect(events).toBeGreaterThan(100);
});
