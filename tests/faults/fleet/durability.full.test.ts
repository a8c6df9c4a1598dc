import { join } from "node:path";
import type { StoreConfig } from "@levelset/fleet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import { killDuringCreates, killDuringReports } from "./durability/kill-api.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";

/** Tests of a killed API on one store. */
function describeKills(store: string, fresh: () => StoreConfig): void {
  describe(`a killed API on ${store}`, () => {
    test.for([1, 2_000, 3_500])(
      "during five thousand concurrent reports, after %i responses: no acknowledged report is lost, half-applied or applied twice",
      async (killAfter) => {
        const outcome = await killDuringReports(fresh(), { reports: 5_000, killAfter });
        expect(outcome.problems).toEqual([]);
        expect(outcome.acknowledged).toBeGreaterThanOrEqual(killAfter);
        expect(outcome.uncertain).toBeGreaterThan(0);
      },
    );

    test.for([1, 900])(
      "during two thousand concurrent creates, after %i responses: each key creates one cluster",
      async (killAfter) => {
        const outcome = await killDuringCreates(fresh(), { creates: 2_000, killAfter });
        expect(outcome.problems).toEqual([]);
        expect(outcome.uncertain).toBeGreaterThan(0);
      },
    );
  });
}

describe("SQLite", () => {
  let directory: TempDirectory | undefined;
  let files = 0;
  beforeAll(async () => {
    directory = await tempDirectory();
  });
  afterAll(() => directory?.[Symbol.asyncDispose]());
  describeKills("SQLite", () => ({ kind: "sqlite", path: join(directory?.path ?? "", `fleet-${++files}.db`) }));
});

onPostgres("PostgreSQL", ({ config }) => {
  describeKills("PostgreSQL", () => config());
});
