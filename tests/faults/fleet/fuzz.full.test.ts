import { expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { fuzz } from "./fuzz/campaign.ts";
import { fuzzFleet } from "./fuzz/fuzz-fleet.ts";
import type { KnownResource } from "./fuzz/request.ts";
import { startFleet } from "../../support/fleet/running-fleet.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";

/**
 * A child cannot be created without its parent, and a resource without adapters is removed before its deletion can be
 * forced.
 */
const IMPOSSIBLE =
  /^POST .*\/v1\/(?:nodepools|versions|(?:.*\/)?(?:wifconfigs|channels|versions)\/\{id\}\/force-delete)$/u;

test("forty thousand random requests cause no server error and no response that violates the OpenAPI document", async () => {
  const { failures, codes, neverSucceeded } = await fuzzFleet({ kind: "sqlite", path: ":memory:" }, 40_000, 1);
  expect(failures).toEqual([]);
  // The requests are realistic enough: every possible operation succeeded at least once.
  expect(neverSucceeded.filter((operation) => !IMPOSSIBLE.test(operation))).toEqual([]);
  for (const code of [200, 201, 202, 204, 304, 400, 404, 409, 412, 422]) {
    expect(codes.get(code) ?? 0).toBeGreaterThan(10);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

onPostgres("random requests to PostgreSQL", ({ config }) => {
  test("ten thousand cause no error", async () => {
    const { failures } = await fuzzFleet(config(), 10_000, 2);
    expect(failures).toEqual([]);
  });

  test("ten thousand from eight concurrent clients to two APIs cause no error", async () => {
    const shared = config();
    await using one = await startFleet(shared);
    await using other = await startFleet(shared);
    const known: KnownResource[] = [];
    const senders = Array.from({ length: 8 }, (_, index) =>
      fuzz(index % 2 === 0 ? one : other, 1_250, 3 + index, known),
    );
    const failures = (await Promise.all(senders)).flatMap((outcome) => outcome.failures);
    expect(failures).toEqual([]);
    expect(await inconsistencies(one.store, one.kinds, { isReplayed: false })).toEqual([]);
  });
});
