import { expect, test } from "vitest";
import { inconsistencies } from "../../../faults/fleet/consistency.ts";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { conditionOf, freshName, formatCondition } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../../support/fleet/wire.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Three levels of kinds; a shelf has no adapters, so it only waits for its books. */
const ENTITIES: readonly unknown[] = [
  { kind: "Library", plural: "libraries", required_adapters: ["a"] },
  { kind: "Shelf", plural: "shelves", parent_kind: "Library", on_parent_delete: "cascade" },
  { kind: "Book", plural: "books", parent_kind: "Shelf", on_parent_delete: "cascade", required_adapters: ["a"] },
  { kind: "Pinned", plural: "pinned", parent_kind: "Shelf", on_parent_delete: "restrict" },
  {
    kind: "Relaxed",
    plural: "relaxed",
    required_adapters: ["a", "b"],
    aggregation: {
      available: "self.items.exists(i, i.conditions.exists(c, c.type == 'Available' && c.status == 'True'))",
      ready: "available && self.items.exists(i, i.observed_generation == generationN)",
    },
  },
];

/** Trees of three levels, and custom expressions of a kind. */
export function describeOwnership(start: StartFleet): void {
  describeOn("resource trees", start, describeThreeGenerations, { entities: ENTITIES });
  describeOn("paths in resource trees", start, describePlaces, { entities: ENTITIES });
  describeOn("custom expressions", start, describeExpressions, { entities: ENTITIES });
}

async function family(user: FleetUser, count: number): Promise<readonly [WireResource, WireResource, WireResource[]]> {
  const library = await user.create("/libraries", { kind: "Library", name: freshName(), spec: {} });
  const path = library.href.slice(API_BASE.length);
  const shelf = await user.create(`${path}/shelves`, { kind: "Shelf", name: freshName(), spec: {} });
  const books: WireResource[] = [];
  while (books.length < count) {
    const body = { kind: "Book", name: freshName(), spec: {} };
    books.push(await user.create(`${path}/shelves/${shelf.id}/books`, body));
  }
  return [library, shelf, books];
}

function describeThreeGenerations(shared: () => Shared): void {
  const finish = (user: FleetUser, { href }: WireResource) => user.report(href, "a", 2, "False", { finalized: "True" });

  test("the report on the last grandchild removes its parent and its grandparent", async () => {
    const { user, fleet } = shared();
    const [library, shelf, books] = await family(user, 2);
    expect((await user.http.delete(library.href)).status).toBe(202);
    for (const each of [library, shelf, ...books]) expect(await user.read(each)).toMatchObject({ generation: 2 });
    await finish(user, library);
    const [first, last] = books;
    if (first === undefined || last === undefined) throw new TypeError("there are two books");
    await finish(user, first);
    expect(formatCondition(conditionOf(await user.read(library), "Reconciled"))).toBe(
      "F@2 ReconciledWaitingForChildren",
    );
    expect((await finish(user, last)).status).toBe(201);
    for (const each of [library, shelf, last])
      expect((await user.http.get(each.href)).problemSummary).toBe("404 NTF-001");
    expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
  });

  test("a shelf that was deleted alone waits for its books, and is removed without a second request", async () => {
    const { user } = shared();
    const [library, shelf, [book]] = await family(user, 1);
    if (book === undefined) throw new TypeError("there is a book");
    await user.http.delete(shelf.href);
    expect((await user.read(shelf)).deleted_time).toEqual(expect.any(String));
    await finish(user, book);
    expect((await user.http.get(shelf.href)).status).toBe(404);
    expect(await user.read(library)).not.toHaveProperty("deleted_time");
  });

  test("a pinned grandchild prevents deletion of its ancestors, and no resource is marked", async () => {
    const { user } = shared();
    const [library, shelf, [book]] = await family(user, 1);
    if (book === undefined) throw new TypeError("there is a book");
    const pinned = { kind: "Pinned", name: freshName(), spec: {} };
    const created = await user.http.post(`${shelf.href}/pinned`, pinned);
    expect(created.status).toBe(201);
    const refused = await user.http.delete(library.href);
    expect([refused.problemSummary, refused.problem.detail]).toEqual([
      "409 CNF-003",
      expect.stringContaining("active"),
    ]);
    for (const each of [library, shelf, book]) expect(await user.read(each)).not.toHaveProperty("deleted_time");
  });

  test("a forced deletion removes three levels and leaves the audit entries", async () => {
    const { user, fleet } = shared();
    const [library, shelf, books] = await family(user, 2);
    await user.http.delete(library.href);
    expect((await user.http.post(`${library.href}/force-delete`, { reason: "fire" })).status).toBe(204);
    for (const each of [library, shelf, ...books]) expect((await user.http.get(each.href)).status).toBe(404);
    const audit = (await user.http.get(`${API_BASE}/audit?resource_id=${library.id}`)).json;
    expect(audit).toMatchObject({
      items: [{ action: "force-delete", details: { reason: "fire" } }, { action: "delete" }, { action: "create" }],
    });
    expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
  });
}

function describePlaces(shared: () => Shared): void {
  test("a grandchild is not found below another grandparent, parent or kind", async () => {
    const { user } = shared();
    const [[library, shelf, [book]], [other, otherShelf]] = [await family(user, 1), await family(user, 0)];
    if (book === undefined) throw new TypeError("there is a book");
    expect(
      (await user.http.get(`${API_BASE}/libraries/${library.id}/shelves/${shelf.id}/books/${book.id}`)).status,
    ).toBe(200);
    for (const path of [
      `${API_BASE}/libraries/${other.id}/shelves/${shelf.id}/books/${book.id}`,
      `${API_BASE}/libraries/${library.id}/shelves/${otherShelf.id}/books/${book.id}`,
      `${API_BASE}/libraries/${other.id}/shelves/${otherShelf.id}/books/${book.id}`,
      `${API_BASE}/libraries/${other.id}/shelves/${shelf.id}`,
      `${API_BASE}/libraries/${other.id}/shelves/${shelf.id}/books`,
    ]) {
      expect([path, (await user.http.get(path)).problemSummary]).toEqual([path, "404 NTF-001"]);
    }
    expect((await user.http.get(`${API_BASE}/shelves/${shelf.id}/books`)).resources.items).toEqual([book]);
  });
}

function describeExpressions(shared: () => Shared): void {
  test("custom expressions of a kind determine Ready and Available, under all four names", async () => {
    const { user } = shared();
    const one = await user.create("/relaxed", { kind: "Relaxed", name: freshName(), spec: {} });
    const statuses = async () => {
      const read = await user.read(one);
      return ["Ready", "Reconciled", "Available", "LastKnownReconciled"].map((type) => conditionOf(read, type).status);
    };
    expect(await statuses()).toEqual(["False", "False", "False", "False"]);
    await user.report(one.href, "a", 1, "True");
    expect(await statuses()).toEqual(["True", "True", "True", "True"]);
    await user.http.patch(one.href, { spec: { a: 1 } });
    expect(await statuses()).toEqual(["False", "False", "True", "True"]);
  });
}
