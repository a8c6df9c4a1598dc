import { expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { fuzz } from "./fuzz/campaign.ts";
import { fuzzed } from "./fuzz/fuzzed.ts";
import type { KnownResource } from "./fuzz/request.ts";
import { startFleet } from "./harness.ts";
import { onPostgres } from "./postgres-suite.ts";

/** A child is not created without its parent, and what waits for nobody is gone before its deletion can be forced. */
const IMPOSSIBLE =
  /^POST .*\/v1\/(?:nodepools|versions|(?:.*\/)?(?:wifconfigs|channels|versions)\/\{id\}\/force-delete)$/u;

test("forty thousand made-up requests find no fault of the server and no answer that is not as published", async () => {
  const { failures, codes, barren } = await fuzzed({ kind: "sqlite", path: ":memory:" }, 40_000, 1);
  expect(failures).toEqual([]);
  // The requests are not all nonsense: all was done that can be.
  expect(barren.filter((operation) => !IMPOSSIBLE.test(operation))).toEqual([]);
  for (const code of [200, 201, 202, 204, 304, 400, 404, 409, 412, 422]) {
    expect(codes.get(code) ?? 0).toBeGreaterThan(10);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
}, 180_000);

onPostgres("made-up requests to PostgreSQL", ({ config }) => {
  test("ten thousand more find none on PostgreSQL", async () => {
    const { failures } = await fuzzed(config(), 10_000, 2);
    expect(failures).toEqual([]);
  }, 120_000);

  test("nor do ten thousand of eight senders at once, over two APIs", async () => {
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
  }, 120_000);
});
