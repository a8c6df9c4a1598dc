import { EVERY_TENANT } from "@levelset/fleet/server";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, mustLoad, nodePool, report, update, urgentWork } from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

/** Resource trees and removal. */
export function describeRemoval(harness: () => StoreHarness): void {
  describeFamilies(harness);
  describeCounts(harness);
}

/** Resource trees. */
function describeFamilies(harness: () => StoreHarness): void {
  describe("a resource tree", () => {
    test("has parents before children, and the resources that refer to each", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      const p = nodePool("p", a);
      const user = cluster("user", {
        references: {
          uses: [
            { id: "p", kind: "NodePool", href: p.href },
            { id: "a", kind: "Cluster", href: a.href },
          ],
        },
      });
      await create(store, a, p, nodePool("deep", p), cluster("stranger"), user);
      const family = await store.loadTree({ id: "a", scope: EVERY_TENANT });
      expect(
        family?.members.map(({ resource, children, referencers }) => [
          resource.id,
          children,
          referencers.map(({ id }) => id),
        ]),
      ).toEqual([
        ["a", 1, ["user"]],
        ["p", 1, ["user"]],
        ["deep", 0, []],
      ]);
      expect(family?.members[0]?.referencers).toEqual([user]);
      expect(await store.loadTree({ id: "absent", scope: EVERY_TENANT })).toBeUndefined();
    });

    test("is removed with all its data, and references to it are dropped", async () => {
      await using store = await harness().open();
      const a = cluster("a", { labels: { x: "1" } });
      const target = (id: string): { id: string; kind: string; href: string } => ({
        id,
        kind: "Cluster",
        href: `/Cluster/${id}`,
      });
      const user = cluster("user", {
        references: { uses: [target("b"), target("a"), target("p")], only: [target("a")] },
      });
      await create(store, a, cluster("b"), nodePool("p", a), user);
      await store.commit(await report(store, "p", "dns", 2_000));
      const [stored, child] = [await mustLoad(store, "a"), await mustLoad(store, "p")];
      const removed = [update(child), update(stored)];
      expect(await store.commit({ entry: entryOf(a), removed, work: [urgentWork("a", 1)] })).toEqual({
        kind: "committed",
      });
      expect(await store.loadAll(["a", "p"])).toEqual([]);
      expect(await store.nextDueTime(["Cluster", "NodePool"])).toBeUndefined();
      expect((await mustLoad(store, "user")).resource.references).toEqual({ uses: [target("b")] });
      expect((await mustLoad(store, "user")).revision).toBeGreaterThan(1);
      expect(await store.counts(0)).toMatchObject([{ kind: "Cluster", total: 2, notReady: 2, stuck: 0, deleting: 0 }]);
      await create(store, a);
      expect(await mustLoad(store, "a")).toMatchObject({ revision: 1, statuses: [], children: 0 });
    });

    test("prevents changes that rely on a removed resource", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      await create(store, a);
      const stored = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(a), removed: [update(stored)] });
      const child = nodePool("p", a);
      const touched = [{ id: "a", revision: stored.revision }];
      expect(await store.commit({ entry: entryOf(child), created: [child], touched })).toEqual({ kind: "conflict" });
    });
  });
}

/** Counts per kind. */
function describeCounts(harness: () => StoreHarness): void {
  test("kinds are counted with resources not ready, since when, and being deleted", async () => {
    await using store = await harness().open();
    const a = cluster("a", { deletion: { time: 1, by: "user" } });
    await create(store, a, cluster("b"), nodePool("p", a, { conditions: [] }));
    await store.commit(await report(store, "b", "dns", 2_000));
    const unready = (await mustLoad(store, "a")).resource.conditions.find(({ type }) => type === "Reconciled");
    const since = unready?.lastTransitionTime ?? 0;
    const pools = { kind: "NodePool", total: 1, notReady: 0, stuck: 0, deleting: 0 };
    const clusters = { kind: "Cluster", total: 2, notReady: 1, notReadySince: since, deleting: 1 };
    expect(await store.counts(since)).toEqual([{ ...clusters, stuck: 0 }, pools]);
    expect(await store.counts(since + 1)).toEqual([{ ...clusters, stuck: 1 }, pools]);
  });
}
