import { realClock } from "@levelset/core";
import type { Claim, FleetStore, PlannedWork } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, loaded, pool, refresh, update, urgent } from "./draft.ts";
import type { StoreHarness } from "./harness.ts";

const KINDS = ["Cluster", "NodePool"];

/** Due work: planned with changes, claimed once, given back. */
export function describeWork(harness: () => StoreHarness): void {
  describeClaims(harness);
  describeLeases(harness);
  describePlanning(harness);
}

/** Who gets it. */
function describeClaims(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("is claimed by one holder, the oldest first, of the kinds that are asked for", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      await create(store, a, cluster("b"), cluster("c"), pool("p", a));
      await planned(store, urgent("a", 30), refresh("b", 20.5), refresh("c", 500), {
        ...urgent("p", 10),
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

    test("comes with the resource as it is", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgent("a", 10));
      const [claim] = await store.claim({ holder: "me", now: 10, leaseMs: 5, limit: 9, kinds: KINDS });
      expect(claim?.stored).toEqual(await loaded(store, "a"));
      expect(claim).toMatchObject({ holder: "me", cause: "create", dueTime: 10, pulsedTime: undefined });
    });

    test("can be looked at without being claimed", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      expect(await store.work("a")).toBeUndefined();
      await planned(store, urgent("a", 10));
      expect(await store.work("a")).toEqual({ cause: "create", dueTime: 10, pulsedTime: undefined });
      const [claim] = await store.claim({ holder: "me", now: 10, leaseMs: 5, limit: 9, kinds: KINDS });
      if (claim === undefined) throw new Error("it was to be claimed");
      await store.complete([{ resourceId: "a", holder: "me", plan: claim.plan, pulsedTime: 12, refreshTime: 60 }]);
      expect(await store.work("a")).toEqual({ cause: "refresh", dueTime: 60, pulsedTime: 12 });
    });

    test("is never claimed twice, however many try at once", async () => {
      await using store = await harness().open();
      const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
      await store.commit({
        entry: entryOf(cluster("r0")),
        created: names.map((id) => cluster(id)),
        work: names.map((id) => urgent(id, 1)),
      });
      const holders = Array.from({ length: 8 }, (_, index) => `holder-${index}`);
      const taken = await Promise.all(
        holders.map(async (holder) => {
          const all: string[] = [];
          for (let more = 10; more > 0;) {
            const got = await store.claim({ holder, now: 5, leaseMs: 1_000, limit: 10, kinds: KINDS });
            all.push(...got.map(({ stored }) => stored.resource.id));
            more = got.length;
          }
          return all;
        }),
      );
      // Whoever finds everything locked stops; what is left is there for the next.
      const rest = await claimIds(store, "last", 5);
      expect([...taken.flat(), ...rest].toSorted()).toEqual(names.toSorted());
    });
  });
}

/** What becomes of a claim. */
function describeLeases(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("is there for others when a lease ends, and the late holder's word counts for nothing", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgent("a", 10));
      const [late] = await store.claim({ holder: "late", now: 10, leaseMs: 5, limit: 1, kinds: KINDS });
      expect(await claimIds(store, "next", 14)).toEqual([]);
      expect(await claimIds(store, "next", 15)).toEqual(["a"]);
      await finish(store, late, { refreshTime: 99 });
      expect(await store.nextDueTime(["Cluster"])).toBe(1_015);
    });

    test("that is claimed without a time goes by the database's clock, and so does its lease", async () => {
      await using store = await harness().open();
      await create(store, cluster("past"), cluster("future"));
      await planned(store, refresh("past", 10), refresh("future", realClock.now() + 3_600_000));
      const request = { leaseMs: 600_000, limit: 9, kinds: KINDS };
      const claims = await store.claim({ ...request, holder: "one" });
      expect(claims.map(({ stored }) => stored.resource.id)).toEqual(["past"]);
      expect(await store.claim({ ...request, holder: "other" })).toEqual([]);
      await finish(store, claims[0], { pulsedTime: undefined, refreshTime: 10 });
      expect(await store.claim({ ...request, holder: "other" })).toHaveLength(1);
    });

    test("that was claimed is looked at again when its holder says, or when a plan that was made meanwhile does", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"), cluster("b"));
      await planned(store, refresh("a", 10), refresh("b", 10));
      const claims = await store.claim({ holder: "me", now: 10, leaseMs: 1_000, limit: 2, kinds: KINDS });
      await planned(store, refresh("a", 70));
      for (const claim of claims) await finish(store, claim, { pulsedTime: 13, refreshTime: 99 });
      expect([await claimed(store, { now: 98 }), await claimed(store, { now: 99 })]).toEqual([
        ["a refresh 70"],
        ["b refresh 99"],
      ]);
    });

    test("that was claimed is over when it is completed, except what was planned meanwhile", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgent("a", 10));
      const [first] = await store.claim({ holder: "me", now: 10, leaseMs: 1_000, limit: 1, kinds: KINDS });
      await planned(store, { ...urgent("a", 12), urgent: { time: 12, cause: "change" }, refreshTime: 70 });
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

/** What plans make of each other. */
function describePlanning(harness: () => StoreHarness): void {
  describe("due work", () => {
    test("that is urgent stays so through later plans, and a wake replaces no other cause", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, urgent("a", 10));
      await planned(store, { ...urgent("a", 11), urgent: { time: 11, cause: "wake" } });
      await planned(store, refresh("a", 5_000));
      expect(await claimed(store, { now: 20 })).toEqual(["a create 10"]);
    });

    test("whose new deadline is later than the lease of a dead holder waits for the deadline", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await planned(store, refresh("a", 10));
      await store.claim({ holder: "dead", now: 10, leaseMs: 5, limit: 1, kinds: KINDS });
      await planned(store, refresh("a", 100));
      expect([await claimIds(store, "next", 50), await store.nextDueTime(["Cluster"])]).toEqual([[], 100]);
      expect(await claimIds(store, "next", 100)).toEqual(["a"]);
    });

    test("is swept in the order of ids, and what was lost is planned again where nothing is", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"), cluster("b"), cluster("c"), cluster("x", { kind: "Other" }));
      await planned(store, refresh("b", 50), refresh("c", undefined));
      const sweep = async (after?: string): Promise<unknown> => {
        return (await store.planned(KINDS, after, 2)).map(({ stored, dueTime }) => [stored.resource.id, dueTime]);
      };
      expect([await sweep(), await sweep("b")]).toEqual([
        [
          ["a", undefined],
          ["b", 50],
        ],
        [["c", undefined]],
      ]);
      await store.plan([refresh("a", 7), refresh("b", 8), refresh("c", 9), refresh("gone", 1)]);
      expect([await sweep(), await sweep("b")]).toEqual([
        [
          ["a", 7],
          ["b", 50],
        ],
        [["c", 9]],
      ]);
    });
  });

  test("how old reports may get is kept for each kind", async () => {
    await using store = await harness().open();
    await store.setTtl("Cluster", { readyMs: 1, notReadyMs: 2 });
    await store.setTtl("Cluster", { readyMs: 3, notReadyMs: 4 });
    expect([...(await store.ttls())]).toEqual([["Cluster", { readyMs: 3, notReadyMs: 4 }]]);
  });
}

/** Plans work with a change that relies on its resources. */
async function planned(store: FleetStore, ...work: readonly PlannedWork[]): Promise<void> {
  const stored = await Promise.all(work.map(({ resourceId }) => loaded(store, resourceId)));
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
  return claims.map(({ stored, cause, dueTime }) => `${stored.resource.id} ${cause} ${dueTime}`);
}

async function claimIds(store: FleetStore, holder: string, now: number): Promise<readonly string[]> {
  const claims = await store.claim({ holder, now, leaseMs: 1_000, limit: 100, kinds: KINDS });
  return claims.map(({ stored }) => stored.resource.id);
}

async function finish(
  store: FleetStore,
  claim: Claim | undefined,
  how: { readonly pulsedTime?: number | undefined; readonly refreshTime: number | undefined },
): Promise<void> {
  if (claim === undefined) throw new Error("nothing was claimed");
  const { holder, plan, stored } = claim;
  await store.complete([{ resourceId: stored.resource.id, holder, plan, pulsedTime: undefined, ...how }]);
}
