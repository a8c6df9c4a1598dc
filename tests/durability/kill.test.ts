import { expect, test } from "vitest";
import { surviveKills } from "./kill.ts";

test("a store that is killed while it writes loses nothing that it acknowledged", async () => {
  expect(await surviveKills(2, 1)).toBeGreaterThan(1);
});
