import { findResourceCondition } from "@levelset/fleet/model";
import { describe, expect, test } from "vitest";
import { condition, create, mustLoad, progress, report, reportedCluster } from "./fixtures.ts";
import { changesOf } from "./feed.ts";
import type { StoreHarness } from "./harness.ts";

const IDS = Array.from({ length: 8 }, (_, n) => `c-${n}`);

/** Reports, which stores write with separate statements. */
export function describeReports(harness: () => StoreHarness): void {
  describe("reports", () => {
    test("concurrent results, progress and two reports on one cluster are each committed once or conflict", async () => {
      await using store = await harness().open();
      await create(store, ...IDS.map(reportedCluster));
      const changes = await Promise.all([
        ...IDS.map((id, n) => (n % 2 === 0 ? report : progress)(store, id, "dns", 2_000)),
        report(store, "c-0", "validation", 2_000),
      ]);
      const after = await store.feedEnd();
      const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([...IDS.map(() => "committed"), "conflict"]);
      const stored = await Promise.all(IDS.map((id) => mustLoad(store, id)));
      expect(stored.map(({ revision, statuses }) => [revision, statuses.length])).toEqual(IDS.map(() => [2, 1]));
      const isReady = stored.map(({ resource }) => findResourceCondition(resource.conditions, "Reconciled")?.status);
      expect(isReady).toEqual(IDS.map((_, n) => (n % 2 === 0 ? "True" : "False")));
      // Progress is invisible to watchers.
      const { changes: visible } = await changesOf(store, { after });
      expect(visible.map(({ resource }) => resource.id).toSorted()).toEqual(IDS.filter((_, n) => n % 2 === 0));
    });

    test("are each visible to watchers, in order", async () => {
      await using store = await harness().open();
      await create(store, ...IDS.map(reportedCluster));
      let after = await store.feedEnd();
      for (const id of IDS) {
        await store.commit(await report(store, id, "dns", 2_000));
        const { changes, position } = await changesOf(store, { after });
        expect(changes.map(({ resource }) => resource.id)).toEqual([id]);
        after = position;
      }
    });

    test("a repeated report has no effect, an outdated one conflicts, and one without changes is only in the journal", async () => {
      await using store = await harness().open();
      await create(store, reportedCluster("c"));
      const [first, late] = [await report(store, "c", "dns", 2_000), await report(store, "c", "dns", 3_000)];
      for (const _ of [1, 2]) expect(await store.commit(first)).toEqual({ kind: "committed" });
      expect(await store.commit(late)).toEqual({ kind: "conflict" });
      const { entry } = await report(store, "c", "dns", 4_000);
      expect(await store.commit({ entry })).toEqual({ kind: "committed" });
      const { revision, resource } = await mustLoad(store, "c");
      expect(revision).toBe(2);
      expect(findResourceCondition(resource.conditions, "Reconciled")).toEqual(condition("Reconciled", "True", 2_000));
    });
  });
}
