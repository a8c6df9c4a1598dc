import { EVERY_TENANT } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, loaded, pool, report, update, urgent } from "./draft.ts";
import type { StoreHarness } from "./harness.ts";

/** Families and their end. */
export function describeRemoval(harness: () => StoreHarness): void {
  describeFamilies(harness);
  describeCounts(harness);
}

/** What belongs together. */
function describeFamilies(harness: () => StoreHarness): void {
  describe("a family", () => {
    test("has its parents before their children, and says who refers to each", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      const p = pool("p", a);
      const user = cluster("user", {
        references: {
          uses: [
            { id: "p", kind: "NodePool", href: p.href },
            { id: "a", kind: "Cluster", href: a.href },
          ],
        },
      });
      await create(store, a, p, pool("deep", p), cluster("stranger"), user);
      const family = await store.family({ id: "a", scope: EVERY_TENANT });
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
      expect(await store.family({ id: "absent", scope: EVERY_TENANT })).toBeUndefined();
    });

    test("is removed with everything that belongs to it, and who referred to it does so no longer", async () => {
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
      await create(store, a, cluster("b"), pool("p", a), user);
      await store.commit(await report(store, "p", "dns", 2_000));
      const [stored, child] = [await loaded(store, "a"), await loaded(store, "p")];
      const removed = [update(child), update(stored)];
      expect(await store.commit({ entry: entryOf(a), removed, work: [urgent("a", 1)] })).toEqual({ kind: "committed" });
      expect(await store.loadAll(["a", "p"])).toEqual([]);
      expect(await store.nextDueTime(["Cluster", "NodePool"])).toBeUndefined();
      expect((await loaded(store, "user")).resource.references).toEqual({ uses: [target("b")] });
      expect((await loaded(store, "user")).revision).toBeGreaterThan(1);
      expect(await store.counts(0)).toMatchObject([{ kind: "Cluster", total: 2, notReady: 2, stuck: 0, deleting: 0 }]);
      await create(store, a);
      expect(await loaded(store, "a")).toMatchObject({ revision: 1, statuses: [], children: 0 });
    });

    test("keeps what was removed from being relied upon", async () => {
      await using store = await harness().open();
      const a = cluster("a");
      await create(store, a);
      const stored = await loaded(store, "a");
      await store.commit({ entry: entryOf(a), removed: [update(stored)] });
      const child = pool("p", a);
      const touched = [{ id: "a", revision: stored.revision }];
      expect(await store.commit({ entry: entryOf(child), created: [child], touched })).toEqual({ kind: "conflict" });
    });
  });
}

/** Figures of kinds. */
function describeCounts(harness: () => StoreHarness): void {
  test("kinds are counted with what is not ready, since when, and what is being deleted", async () => {
    await using store = await harness().open();
    const a = cluster("a", { deletion: { time: 1, by: "user" } });
    await create(store, a, cluster("b"), pool("p", a, { conditions: [] }));
    await store.commit(await report(store, "b", "dns", 2_000));
    const unready = (await loaded(store, "a")).resource.conditions.find(({ type }) => type === "Reconciled");
    const since = unready?.lastTransitionTime ?? 0;
    const pools = { kind: "NodePool", total: 1, notReady: 0, stuck: 0, deleting: 0 };
    const clusters = { kind: "Cluster", total: 2, notReady: 1, notReadySince: since, deleting: 1 };
    expect(await store.counts(since)).toEqual([{ ...clusters, stuck: 0 }, pools]);
    expect(await store.counts(since + 1)).toEqual([{ ...clusters, stuck: 1 }, pools]);
  });
}
