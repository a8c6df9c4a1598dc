import { realClock } from "@levelset/core";
import type { Claim } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { PlannedWork } from "@levelset/fleet/server";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, mustLoad, nodePool, refreshWork, update, urgentWork } from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

const KINDS = ["Cluster", "NodePool"];

/** Due work: planned with changes, claimed once, completed. */
export function describeWork(harness: () => StoreHarness): void {
  describeClaims(harness);
  describeLeases(harness);
  describePlanning(harness);
}

/** Claims. */
function describeClaims(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("is claimed by one holder, oldest first, for the requested kinds", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      await create(store, a, cluster("b"), cluster("c"), nodePool("p", a));
      await planned(store, urgentWork("a", 30), refreshWork("b", 20.5), refreshWork("c", 500), {
        ...urgentWork("p", 10),
        kind: "NodePool",
      });
      expect(await store.nextDueTime(["Cluster"])).toBe(21);
      expect(await claimed(store, { now: 20, kinds: ["Cluster"] })).toEqual([]);
      expect(await claimed(store, { now: 100, limit: 1, kinds: ["Cluster"] })).toEqual(["b refresh 21"]);
      expect(await claimed(store, { now: 100 })).toEqual(["p create 10", "a create 30"]);
      expect(await claimed(store, { now: 100, holder: "other" })).toEqual([]);
      expect(await store.nextDueTime(["Cluster"])).toBe(500);
      expect([await store.nextDueTime(["Unknown"]), await store.nextDueTime([])]).toEqual([undefined, undefined]);
    });

    test("comes with the current resource", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgentWork("a", 10));
      const [claim] = await store.claim({ holder: "me", now: 10, leaseMs: 5, limit: 9, kinds: KINDS });
      expect(claim?.resource).toEqual(await mustLoad(store, "a"));
      expect(claim).toMatchObject({ holder: "me", cause: "create", dueTime: 10, pulsedTime: undefined });
    });

    test("can be read without a claim", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      expect(await store.workStatus("a")).toBeUndefined();
      await planned(store, urgentWork("a", 10));
      expect(await store.workStatus("a")).toEqual({ cause: "create", dueTime: 10, pulsedTime: undefined });
      const [claim] = await store.claim({ holder: "me", now: 10, leaseMs: 5, limit: 9, kinds: KINDS });
      if (claim === undefined) throw new Error("the work was not claimed");
      await store.complete([
        { resourceId: "a", holder: "me", counters: claim.counters, pulsedTime: 12, refreshTime: 60 },
      ]);
      expect(await store.workStatus("a")).toEqual({ cause: "refresh", dueTime: 60, pulsedTime: 12 });
    });

    test("is never claimed twice by concurrent holders", async () => {
      await using store = await harness().open();
      const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
      await store.commit({
        entry: entryOf(cluster("r0")),
        created: names.map((id) => cluster(id)),
        work: names.map((id) => urgentWork(id, 1)),
      });
      const holders = Array.from({ length: 8 }, (_, index) => `holder-${index}`);
      const claimed = await Promise.all(
        holders.map(async (holder) => {
          const all: string[] = [];
          for (let more = 10; more > 0;) {
            const got = await store.claim({ holder, now: 5, leaseMs: 1_000, limit: 10, kinds: KINDS });
            all.push(...got.map(({ resource }) => resource.resource.id));
            more = got.length;
          }
          return all;
        }),
      );
      // A holder that finds all rows locked stops; the rest is left for the next.
      const rest = await claimIds(store, "last", 5);
      expect([...claimed.flat(), ...rest].toSorted()).toEqual(names.toSorted());
    });
  });
}

/** Leases and completion. */
function describeLeases(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("is available to others when a lease expires, and a late completion is ignored", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgentWork("a", 10));
      const [late] = await store.claim({ holder: "late", now: 10, leaseMs: 5, limit: 1, kinds: KINDS });
      expect(await claimIds(store, "next", 14)).toEqual([]);
      expect(await claimIds(store, "next", 15)).toEqual(["a"]);
      await finish(store, late, { refreshTime: 99 });
      expect(await store.nextDueTime(["Cluster"])).toBe(1_015);
    });

    test("that is claimed without a time uses the database's clock, also for its lease", async () => {
      await using store = await harness().open();
      await create(store, cluster("past"), cluster("future"));
      await planned(store, refreshWork("past", 10), refreshWork("future", realClock.now() + 3_600_000));
      const request = { leaseMs: 600_000, limit: 9, kinds: KINDS };
      const claims = await store.claim({ ...request, holder: "one" });
      expect(claims.map(({ resource }) => resource.resource.id)).toEqual(["past"]);
      expect(await store.claim({ ...request, holder: "other" })).toEqual([]);
      await finish(store, claims[0], { pulsedTime: undefined, refreshTime: 10 });
      expect(await store.claim({ ...request, holder: "other" })).toHaveLength(1);
    });

    test("that was claimed is due again at the time of its completion, or of a concurrent plan", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"), cluster("b"));
      await planned(store, refreshWork("a", 10), refreshWork("b", 10));
      const claims = await store.claim({ holder: "me", now: 10, leaseMs: 1_000, limit: 2, kinds: KINDS });
      await planned(store, refreshWork("a", 70));
      for (const claim of claims) await finish(store, claim, { pulsedTime: 13, refreshTime: 99 });
      expect([await claimed(store, { now: 98 }), await claimed(store, { now: 99 })]).toEqual([
        ["a refresh 70"],
        ["b refresh 99"],
      ]);
    });

    test("that was claimed is done when it is completed, except for concurrent plans", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgentWork("a", 10));
      const [first] = await store.claim({ holder: "me", now: 10, leaseMs: 1_000, limit: 1, kinds: KINDS });
      await planned(store, { ...urgentWork("a", 12), urgent: { time: 12, cause: "change" }, refreshTime: 70 });
      await finish(store, first, { pulsedTime: 13, refreshTime: 99 });
      expect(await store.nextDueTime(["Cluster"])).toBe(12);
      const [second] = await store.claim({ holder: "me", now: 20, leaseMs: 1_000, limit: 1, kinds: KINDS });
      expect(second).toMatchObject({ cause: "change", dueTime: 12, pulsedTime: 13 });
      await finish(store, second, { pulsedTime: undefined, refreshTime: 60 });
      expect(await store.nextDueTime(["Cluster"])).toBe(60);
      const [third] = await store.claim({ holder: "me", now: 61, leaseMs: 1_000, limit: 1, kinds: KINDS });
      expect(third).toMatchObject({ cause: "refresh", dueTime: 60, pulsedTime: 13 });
      await finish(store, third, { refreshTime: undefined });
      expect(await store.nextDueTime(["Cluster"])).toBeUndefined();
    });
  });
}

/** Merging of plans. */
function describePlanning(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("that is urgent stays urgent through later plans, and a verdict change replaces no other cause", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgentWork("a", 10));
      await planned(store, { ...urgentWork("a", 11), urgent: { time: 11, cause: "wake" } });
      await planned(store, refreshWork("a", 5_000));
      expect(await claimed(store, { now: 20 })).toEqual(["a create 10"]);
    });

    test("whose new deadline is later than an expired lease waits for the deadline", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, refreshWork("a", 10));
      await store.claim({ holder: "dead", now: 10, leaseMs: 5, limit: 1, kinds: KINDS });
      await planned(store, refreshWork("a", 100));
      expect([await claimIds(store, "next", 50), await store.nextDueTime(["Cluster"])]).toEqual([[], 100]);
      expect(await claimIds(store, "next", 100)).toEqual(["a"]);
    });

    test("is swept in ID order, and lost work is planned again", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"), cluster("b"), cluster("c"), cluster("x", { kind: "Other" }));
      await planned(store, refreshWork("b", 50), refreshWork("c", undefined));
      const sweep = async (after?: string): Promise<unknown> => {
        return (await store.listPlans(KINDS, after, 2)).map(({ stored, dueTime }) => [stored.resource.id, dueTime]);
      };
      expect([await sweep(), await sweep("b")]).toEqual([
        [
          ["a", undefined],
          ["b", 50],
        ],
        [["c", undefined]],
      ]);
      await store.schedule([refreshWork("a", 7), refreshWork("b", 8), refreshWork("c", 9), refreshWork("gone", 1)]);
      expect([await sweep(), await sweep("b")]).toEqual([
        [
          ["a", 7],
          ["b", 50],
        ],
        [["c", 9]],
      ]);
    });
  });

  test("the TTL of reports is stored for each kind", async () => {
    await using store = await harness().open();
    await store.setTtl("Cluster", { readyMs: 1, notReadyMs: 2 });
    await store.setTtl("Cluster", { readyMs: 3, notReadyMs: 4 });
    expect([...(await store.ttls())]).toEqual([["Cluster", { readyMs: 3, notReadyMs: 4 }]]);
  });
}

/** Plans work with a change that relies on its resources. */
async function planned(store: FleetStore, ...work: readonly PlannedWork[]): Promise<void> {
  const stored = await Promise.all(work.map(({ resourceId }) => mustLoad(store, resourceId)));
  const [first] = stored;
  if (first === undefined) return;
  const outcome = await store.commit({
    entry: entryOf(first.resource),
    updated: stored.map((one) => update(one)),
    work,
  });
  expect(outcome).toEqual({ kind: "committed" });
}

async function claimed(
  store: FleetStore,
  request: {
    readonly now: number;
    readonly limit?: number;
    readonly holder?: string;
    readonly kinds?: readonly string[];
  },
): Promise<readonly string[]> {
  const claims = await store.claim({ holder: "me", leaseMs: 1_000, limit: 10, kinds: KINDS, ...request });
  return claims.map(({ resource, cause, dueTime }) => `${resource.resource.id} ${cause} ${dueTime}`);
}

async function claimIds(store: FleetStore, holder: string, now: number): Promise<readonly string[]> {
  const claims = await store.claim({ holder, now, leaseMs: 1_000, limit: 100, kinds: KINDS });
  return claims.map(({ resource }) => resource.resource.id);
}

async function finish(
  store: FleetStore,
  claim: Claim | undefined,
  how: { readonly pulsedTime?: number | undefined; readonly refreshTime: number | undefined },
): Promise<void> {
  if (claim === undefined) throw new Error("nothing was claimed");
  const { holder, counters, resource } = claim;
  await store.complete([{ resourceId: resource.resource.id, holder, counters, pulsedTime: undefined, ...how }]);
}
