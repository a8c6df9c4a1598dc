import { join } from "node:path";
import type { StoreConfig } from "@levelset/fleet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";
import { killDuringCreates, killDuringReports } from "./durability/killed-api.ts";
import { onPostgres } from "./postgres-suite.ts";

/** What an API that is killed must leave behind, on one store. */
function describeKills(store: string, fresh: () => StoreConfig): void {
  describe(`an API on ${store} that is killed`, { timeout: 120_000 }, () => {
    test.for([1, 2_000, 3_500])(
      "during five thousand concurrent reports, after %i answers: nothing acknowledged is lost, half-applied or applied twice",
      async (killAfter) => {
        const outcome = await killDuringReports(fresh(), { reports: 5_000, killAfter });
        expect(outcome.problems).toEqual([]);
        expect(outcome.acknowledged).toBeGreaterThanOrEqual(killAfter);
        expect(outcome.uncertain).toBeGreaterThan(0);
      },
    );

    test.for([1, 900])(
      "during two thousand concurrent creations, after %i answers: each cluster is created once by its key",
      async (killAfter) => {
        const outcome = await killDuringCreates(fresh(), { creates: 2_000, killAfter });
        expect(outcome.problems).toEqual([]);
        expect(outcome.uncertain).toBeGreaterThan(0);
      },
    );
  });
}

describe("SQLite", () => {
  let directory: Scratch | undefined;
  let files = 0;
  beforeAll(async () => {
    directory = await scratch();
  });
  afterAll(() => directory?.[Symbol.asyncDispose]());
  describeKills("SQLite", () => ({ kind: "sqlite", path: join(directory?.path ?? "", `fleet-${++files}.db`) }));
});

onPostgres("PostgreSQL", ({ config }) => {
  describeKills("PostgreSQL", () => config());
});
