import { EVERY_TENANT } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { JournalQuery } from "@levelset/fleet/server";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, mustLoad, report, tenant, update } from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

const NOTHING = { reportsPerResource: 1_000, auditBefore: 0, answersBefore: 0, removedBefore: 0 };

/** The journal and its retention. */
export function describeJournal(harness: () => StoreHarness): void {
  describe("the journal", () => {
    test("returns entries newest first, by resource, adapter, action or tenant", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"), cluster("b", { tenancy: { org: "x" } }));
      for (const adapter of ["dns", "net", "dns"]) await store.commit(await report(store, "a", adapter, 2_000));
      const all = await store.journal({ scope: EVERY_TENANT, limit: 10 });
      expect(all.map(({ action, resourceId, adapter }) => [action, resourceId, adapter])).toEqual([
        ["report", "a", "dns"],
        ["report", "a", "net"],
        ["report", "a", "dns"],
        ["create", "b", undefined],
        ["create", "a", undefined],
      ]);
      expect(all[0]).toEqual({ ...entryOf(cluster("a")), ...all[0], details: { outcome: "verdict" }, tenancy: {} });
      const found = async (query: Partial<JournalQuery>): Promise<readonly (number | undefined)[]> => {
        const entries = await store.journal({ scope: EVERY_TENANT, limit: 10, ...query });
        return entries.map(({ id }) => all.findIndex((entry) => entry.id === id));
      };
      expect(await found({ resourceId: "a", adapter: "dns" })).toEqual([0, 2]);
      expect(await found({ actions: ["create", "delete"] })).toEqual([3, 4]);
      expect(await found({ actions: ["report"], limit: 1 })).toEqual([0]);
      expect(await found({ scope: tenant({ org: "x" }) })).toEqual([3]);
      expect(await found({ before: all[1]?.id ?? "", limit: 2 })).toEqual([2, 3]);
    });

    test("retains a number of reports per resource, and audit entries for a time, also after removal", async () => {
      await using store = await harness().open();
      const [a, b] = [cluster("a"), cluster("b")];
      await create(store, a, b);
      for (let time = 2_000; time < 2_010; time += 1) await store.commit(await report(store, "a", "dns", time));
      await store.commit(await report(store, "b", "dns", 2_000));
      await store.trim({ ...NOTHING, reportsPerResource: 3 });
      expect(await times(store, "a")).toEqual([2_009, 2_008, 2_007, 1_000]);
      expect(await times(store, "b")).toEqual([2_000, 1_000]);
      // A concurrent change has an earlier ID.
      for (let time = 1_900; time < 1_905; time += 1) await store.commit(await report(store, "b", "dns", time));
      await store.trim({ ...NOTHING, reportsPerResource: 3 });
      expect(await times(store, "b")).toEqual([2_000, 1_904, 1_903, 1_000]);
      // Later reports are trimmed again.
      for (let time = 3_000; time < 3_005; time += 1) await store.commit(await report(store, "b", "dns", time));
      await store.trim({ ...NOTHING, reportsPerResource: 3 });
      expect(await times(store, "b")).toEqual([3_004, 3_003, 3_002, 1_000]);
      const stored = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(a, { action: "force-delete", time: 4_000 }), removed: [update(stored)] });
      await store.trim({ ...NOTHING, removedBefore: 5_000 });
      expect(await times(store, "a")).toEqual([4_000, 1_000]);
      await store.trim({ ...NOTHING, auditBefore: 2_000 });
      expect([await times(store, "a"), await times(store, "b")]).toEqual([[4_000], [3_004, 3_003, 3_002]]);
    });

    test("and responses are retained for a time", async () => {
      await using store = await harness().open();
      const result = { key: "k", request: "r", time: 1_000, status: 201, headers: {}, body: "" };
      await store.commit({ entry: entryOf(cluster("a")), created: [cluster("a")], response: result });
      await store.trim({ ...NOTHING, answersBefore: 1_000 });
      expect(await store.idempotentResponse("k")).toEqual(result);
      await store.trim({ ...NOTHING, answersBefore: 1_001 });
      expect(await store.idempotentResponse("k")).toBeUndefined();
    });
  });
}

async function times(store: FleetStore, resourceId: string): Promise<readonly number[]> {
  return (await store.journal({ scope: EVERY_TENANT, resourceId, limit: 100 })).map(({ time }) => time);
}
