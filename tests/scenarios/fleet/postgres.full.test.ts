import fc from "fast-check";
import { expect, test } from "vitest";
import { histories } from "../../../packages/fleet/src/resource/history.fixture.ts";
import { inconsistencies } from "../../faults/fleet/consistency.ts";
import { TENANTS, startFleet } from "../../support/fleet/running-fleet.ts";
import { firstDifference, HISTORY_ENTITIES } from "../../faults/fleet/history.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";
import { describeScenarios } from "./scenarios.ts";
import { tenantSteps, TwoTenants } from "./tenants.ts";

onPostgres("a real server", ({ config }) => {
  describeScenarios("PostgreSQL", (setup) => startFleet(config(), setup));
});

onPostgres("random histories and tenants on PostgreSQL", ({ config }) => {
  test("the API shows the state that the pure decisions predict after each event of a random history", async () => {
    await using fleet = await startFleet(config(), { entities: HISTORY_ENTITIES });
    await fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...fleet.kinds.all), async (events, kind) => {
        expect(await firstDifference(fleet, kind, events)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
  });

  test("two tenants never learn anything about each other", async () => {
    await using fleet = await startFleet(config(), { auth: TENANTS });
    await fc.assert(
      fc.asyncProperty(tenantSteps, async (steps) => {
        const tenants = new TwoTenants(fleet);
        for (const step of steps) await tenants.take(step);
        expect(tenants.leaks).toEqual([]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
