import { expect, test } from "vitest";
import { runKillLoop } from "./kill.ts";

test("a store that is killed during writes loses no acknowledged write", async () => {
  expect(await runKillLoop(2, 1)).toBeGreaterThan(1);
});
