import { EVERY_TENANT } from "@levelset/fleet/server";
import type { FeedChange } from "@levelset/fleet/internal";
import type { FeedQuery } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { cluster, create, entryOf, mustLoad, nodePool, report, tenant, update } from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

const NOTHING = { reportsPerResource: 1_000, auditBefore: 0, answersBefore: 0, removedBefore: 0 };

/** The feed: states in commit order. */
export function describeFeed(harness: () => StoreHarness): void {
  describeStates(harness);
  describePositions(harness);
}

/** The content of the feed. */
function describeStates(harness: () => StoreHarness): void {
  describe("the feed", () => {
    test("contains every resource that changed since a position once, in its current state", async () => {
      await using store = await harness().open();
      await create(store, cluster("before"));
      const after = await store.feedEnd();
      await create(store, cluster("a"), cluster("b"), cluster("c"));
      await store.commit(await report(store, "a", "dns", 2_000));
      const stored = await mustLoad(store, "b");
      await store.commit({ entry: entryOf(stored.resource), removed: [update(stored, { generation: 2 })] });
      const { changes, position } = await changesOf(store, { after });
      expect(changes.map(formatChange)).toEqual(["present c 1", "present a 2", "gone b 2"]);
      expect((await changesOf(store, { after: position })).changes).toEqual([]);
      await create(store, cluster("d"));
      expect((await changesOf(store, { after: position })).changes.map(formatChange)).toEqual(["present d 1"]);
    });

    test("is read in pages of any size, and filtered by kind or tenant", async () => {
      await using store = await harness().open();
      const after = await store.feedEnd();
      const a = cluster("a", { tenancy: { org: "x" } });
      const created = [a, nodePool("p", a), cluster("b"), cluster("c"), cluster("d")];
      await store.commit({ entry: entryOf(a), created });
      const read: string[] = [];
      for (let position = after; ;) {
        const part = await changesOf(store, { after: position, limit: 2 });
        if (part.changes.length === 0) break;
        read.push(...part.changes.map(({ resource }) => resource.id));
        ({ position } = part);
      }
      expect(read).toEqual(["a", "p", "b", "c", "d"]);
      expect((await changesOf(store, { after, kind: "NodePool" })).changes.map(formatChange)).toEqual(["present p 1"]);
      expect((await changesOf(store, { after, scope: tenant({ org: "x" }) })).changes.map(formatChange)).toEqual([
        "present a 1",
        "present p 1",
      ]);
    });
  });
}

/** Expired and invalid positions. */
function describePositions(harness: () => StoreHarness): void {
  describe("the feed", () => {
    test("expires exactly where a removal is trimmed", async () => {
      await using store = await harness().open();
      const after = await store.feedEnd();
      await create(store, cluster("a"), cluster("b"));
      const stored = await mustLoad(store, "a");
      const between = (await changesOf(store, { after })).position;
      await store.commit({ entry: entryOf(stored.resource, { time: 5_000 }), removed: [update(stored)] });
      const { position } = await changesOf(store, { after });
      await store.trim({ ...NOTHING, removedBefore: 5_000 });
      expect((await changesOf(store, { after })).changes.map(formatChange)).toEqual(["present b 1", "gone a 1"]);
      await store.trim({ ...NOTHING, removedBefore: 5_001 });
      const query = { scope: EVERY_TENANT, limit: 10 };
      expect(await store.feed({ ...query, after })).toEqual({ kind: "expired" });
      expect(await store.feed({ ...query, after: between })).toEqual({ kind: "expired" });
      expect((await store.feed({ ...query, after: position })).kind).toBe("changes");
    });

    test("advances for readers that match no changes, so that the position does not expire", async () => {
      await using store = await harness().open();
      const query = { kind: "NodePool" };
      const after = await store.feedEnd();
      await create(store, cluster("a"));
      const stored = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(stored.resource), removed: [update(stored)] });
      const { changes, position } = await changesOf(store, { after, ...query });
      await store.trim({ ...NOTHING, removedBefore: 9_000 });
      expect([changes, (await changesOf(store, { after: position, ...query })).changes]).toEqual([[], []]);
    });

    test.each(["", "x", "-1", "1e9", "99999999999999.7", "1.2.3", "'; DROP TABLE changes; --", "9".repeat(40)])(
      "refuses an invalid position: %s",
      async (after) => {
        await using store = await harness().open();
        expect(await store.feed({ scope: EVERY_TENANT, after, limit: 1 })).toEqual({ kind: "expired" });
      },
    );
  });
}

/** Returns the changes since a position. */
export async function changesOf(
  store: FleetStore,
  query: Partial<FeedQuery> & { readonly after: string },
): Promise<{ readonly changes: readonly FeedChange[]; readonly position: string }> {
  const part = await store.feed({ scope: EVERY_TENANT, limit: 100, ...query });
  if (part.kind === "expired") throw new Error("the position has expired");
  return part;
}

function formatChange(change: FeedChange): string {
  const { kind, resource } = change;
  return `${kind} ${resource.id} ${change.kind === "present" ? change.revision : resource.generation}`;
}
