import { expect, test } from "vitest";
import { runKillLoop } from "./kill.ts";

test("a store that is killed fifty times during writes loses no acknowledged write", async () => {
  expect(await runKillLoop(50, 2)).toBeGreaterThan(5000);
});
