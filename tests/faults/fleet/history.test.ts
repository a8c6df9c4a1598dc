import fc from "fast-check";
import { expect, test } from "vitest";
import { histories } from "../../../packages/fleet/src/resource/history.fixture.ts";
import { inconsistencies } from "./consistency.ts";
import { startFleet } from "../../support/fleet/running-fleet.ts";
import { firstDifference, HISTORY_ENTITIES } from "./history.ts";

test("after each event of two hundred random histories, the API shows the result of the pure decisions", async () => {
  await using fleet = await startFleet({ kind: "sqlite", path: ":memory:" }, { entities: HISTORY_ENTITIES });
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(...fleet.kinds.all), async (events, kind) => {
      expect(await firstDifference(fleet, kind, events)).toBeUndefined();
    }),
    { numRuns: 200 },
  );
  expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
});
