import { compareBy, DEFAULT_ORDER, matchesSearch, parseOrder } from "@levelset/fleet/model";
import { EVERY_TENANT } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { ListCursor } from "@levelset/fleet/internal";
import type { ListQuery } from "@levelset/fleet/server";
import type { Order, Resource } from "@levelset/fleet/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orders, resourceLists, searches, parseValidSearch } from "../../../packages/fleet/src/search/table.fixture.ts";
import { cluster, create, entryOf, nodePool, tenant } from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

/** Lists: search, order, pages. */
export function describeLists(harness: () => StoreHarness): void {
  describe("a list", () => {
    test("equals an in-memory search in the same order, by page and by cursor", async () => {
      const texts = fc.array(searches, { minLength: 20, maxLength: 20 });
      const property = fc.asyncProperty(resourceLists, texts, orders, async (drafts, found, by) => {
        await using store = await harness().open();
        const resources = withOwners(drafts);
        await store.commit({ entry: entryOf(cluster("any")), created: resources });
        for (const text of found) {
          const search = parseValidSearch(text);
          const order = orderOf(by);
          const expected = resources.filter((one) => matchesSearch(search, one)).toSorted(compareBy(order));
          const query = { scope: EVERY_TENANT, search, order } as const;
          const page = await store.list({ ...query, page: { kind: "page", page: 1, size: 100 } });
          expect([text, by, page.total, ids(page.items)]).toEqual([
            text,
            by,
            expected.length,
            expected.map(({ id }) => id),
          ]);
          expect([text, by, await walk(store, query, 2)]).toEqual([text, by, expected.map(({ id }) => id)]);
        }
      });
      await fc.assert(property, { numRuns: 6 });
    });

    test("has pages with a total, also past the end", async () => {
      await using store = await harness().open();
      await create(store, ...["a", "b", "c"].map((id, index) => cluster(id, { createdTime: index })));
      const page = async (number: number): Promise<unknown> => {
        const { items, total, next } = await store.list({ ...ALL, page: { kind: "page", page: number, size: 2 } });
        return [ids(items), total, next?.id];
      };
      expect(await page(1)).toEqual([["c", "b"], 3, "b"]);
      expect(await page(2)).toEqual([["a"], 3, undefined]);
      expect(await page(100_000)).toEqual([[], 3, undefined]);
    });

    test("continues after a cursor despite removed and new resources", async () => {
      await using store = await harness().open();
      await create(store, ...["a", "b", "c"].map((id, index) => cluster(id, { createdTime: index })));
      const first = await store.list({ ...ALL, page: { kind: "after", position: undefined, size: 2 } });
      const removed = first.items[1];
      if (removed === undefined) throw new Error("the part is too short");
      await store.commit({ entry: entryOf(removed.resource), removed: [{ ...removed, isDeclared: false }] });
      await create(store, cluster("d", { createdTime: 9 }));
      const rest = await store.list({ ...ALL, page: { kind: "after", position: first.next, size: 2 } });
      expect([ids(first.items), ids(rest.items), rest.next]).toEqual([["c", "b"], ["a"], undefined]);
    });

    test("is filtered by kind, owner, reference and tenant", async () => {
      await using store = await harness().open();
      const [a, b] = [cluster("a"), cluster("b", { tenancy: { org: "x" } })];
      const user = cluster("user", { references: { uses: [{ id: "a", kind: "Cluster", href: a.href }] } });
      await create(store, a, b, nodePool("p", a), nodePool("q", b), user);
      const listed = async (query: Partial<ListQuery>): Promise<readonly string[]> => {
        return ids(
          (await store.list({ ...ALL, page: { kind: "page", page: 1, size: 100 }, ...query })).items,
        ).toSorted();
      };
      expect(await listed({ kind: "NodePool" })).toEqual(["p", "q"]);
      expect(await listed({ kind: "NodePool", ownerId: "a" })).toEqual(["p"]);
      expect(await listed({ reference: { type: "uses", targetId: "a" } })).toEqual(["user"]);
      expect(await listed({ reference: { type: "other", targetId: "a" } })).toEqual([]);
      expect(await listed({ scope: tenant({ org: "x" }) })).toEqual(["b", "q"]);
      expect(await listed({ scope: tenant({}) })).toEqual(["a", "p", "user"]);
    });
  });
}

const ALL = { scope: EVERY_TENANT, order: DEFAULT_ORDER } as const;

function ids(items: readonly { readonly resource: Resource }[]): readonly string[] {
  return items.map(({ resource }) => resource.id);
}

function orderOf(text: string): Order {
  const parsed = parseOrder(text);
  if (parsed.kind === "problem") throw new TypeError(parsed.message);
  return parsed.order;
}

/** The random resources have missing owners and duplicate names. */
function withOwners(resources: readonly Resource[]): readonly Resource[] {
  const owners = ["p1", "p2"].map((id) => cluster(id, { kind: "Owner" }));
  return [
    ...owners,
    ...resources.map((resource) => ({
      ...resource,
      tenancy: { of: resource.id },
      kind: `${resource.kind}${resource.id}`,
    })),
  ];
}

async function walk(store: FleetStore, query: Omit<ListQuery, "page">, size: number): Promise<readonly string[]> {
  const found: string[] = [];
  let position: ListCursor | undefined;
  do {
    const { items, next } = await store.list({ ...query, page: { kind: "after", position, size } });
    found.push(...ids(items));
    position = next;
  } while (position !== undefined);
  return found;
}
