import { expect, test } from "vitest";
import { inconsistencies } from "../consistency.ts";
import { B } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { conditionOf, freshName, shown } from "../user.ts";
import type { FleetUser } from "../user.ts";
import type { WireResource } from "../wire.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Three generations of kinds; nobody reports on a shelf, so that it has only its books to wait for. */
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

/** Families of three generations, and expressions of a kind's own. */
export function describeFamily(start: StartFleet): void {
  describeOn("families", start, describeThreeGenerations, { entities: ENTITIES });
  describeOn("places of families", start, describePlaces, { entities: ENTITIES });
  describeOn("expressions of one's own", start, describeExpressions, { entities: ENTITIES });
}

async function family(user: FleetUser, books: number): Promise<readonly [WireResource, WireResource, WireResource[]]> {
  const library = await user.create("/libraries", { kind: "Library", name: freshName(), spec: {} });
  const path = library.href.slice(B.length);
  const shelf = await user.create(`${path}/shelves`, { kind: "Shelf", name: freshName(), spec: {} });
  const made: WireResource[] = [];
  while (made.length < books) {
    const body = { kind: "Book", name: freshName(), spec: {} };
    made.push(await user.create(`${path}/shelves/${shelf.id}/books`, body));
  }
  return [library, shelf, made];
}

function describeThreeGenerations(shared: () => Shared): void {
  const finish = (user: FleetUser, { href }: WireResource) => user.report(href, "a", 2, "False", { finalized: "True" });

  test("the report on the last grandchild takes its parent and its grandparent along", async () => {
    const { user, fleet } = shared();
    const [library, shelf, books] = await family(user, 2);
    expect((await user.http.delete(library.href)).status).toBe(202);
    for (const each of [library, shelf, ...books]) expect(await user.read(each)).toMatchObject({ generation: 2 });
    await finish(user, library);
    const [first, last] = books;
    if (first === undefined || last === undefined) throw new TypeError("there are two books");
    await finish(user, first);
    expect(shown(conditionOf(await user.read(library), "Reconciled"))).toBe("F@2 ReconciledWaitingForChildren");
    expect((await finish(user, last)).status).toBe(201);
    for (const each of [library, shelf, last]) expect((await user.http.get(each.href)).refusal).toBe("404 NTF-001");
    expect(await inconsistencies(fleet.store, fleet.kinds)).toEqual([]);
  });

  test("a shelf that was deleted alone waits for its books, and goes without a second request", async () => {
    const { user } = shared();
    const [library, shelf, [book]] = await family(user, 1);
    if (book === undefined) throw new TypeError("there is a book");
    await user.http.delete(shelf.href);
    expect((await user.read(shelf)).deleted_time).toEqual(expect.any(String));
    await finish(user, book);
    expect((await user.http.get(shelf.href)).status).toBe(404);
    expect(await user.read(library)).not.toHaveProperty("deleted_time");
  });

  test("a pinned grandchild refuses the deletion of all above it, and nothing is marked", async () => {
    const { user } = shared();
    const [library, shelf, [book]] = await family(user, 1);
    if (book === undefined) throw new TypeError("there is a book");
    const pinned = { kind: "Pinned", name: freshName(), spec: {} };
    const created = await user.http.post(`${shelf.href}/pinned`, pinned);
    expect(created.status).toBe(201);
    const refused = await user.http.delete(library.href);
    expect([refused.refusal, refused.problem.detail]).toEqual(["409 CNF-003", expect.stringContaining("active")]);
    for (const each of [library, shelf, book]) expect(await user.read(each)).not.toHaveProperty("deleted_time");
  });

  test("a forced deletion takes three generations, with their histories' audit left", async () => {
    const { user, fleet } = shared();
    const [library, shelf, books] = await family(user, 2);
    await user.http.delete(library.href);
    expect((await user.http.post(`${library.href}/force-delete`, { reason: "fire" })).status).toBe(204);
    for (const each of [library, shelf, ...books]) expect((await user.http.get(each.href)).status).toBe(404);
    const audit = (await user.http.get(`${B}/audit?resource_id=${library.id}`)).json;
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
    expect((await user.http.get(`${B}/libraries/${library.id}/shelves/${shelf.id}/books/${book.id}`)).status).toBe(200);
    for (const path of [
      `${B}/libraries/${other.id}/shelves/${shelf.id}/books/${book.id}`,
      `${B}/libraries/${library.id}/shelves/${otherShelf.id}/books/${book.id}`,
      `${B}/libraries/${other.id}/shelves/${otherShelf.id}/books/${book.id}`,
      `${B}/libraries/${other.id}/shelves/${shelf.id}`,
      `${B}/libraries/${other.id}/shelves/${shelf.id}/books`,
    ]) {
      expect([path, (await user.http.get(path)).refusal]).toEqual([path, "404 NTF-001"]);
    }
    expect((await user.http.get(`${B}/shelves/${shelf.id}/books`)).resources.items).toEqual([book]);
  });
}

function describeExpressions(shared: () => Shared): void {
  test("a kind's own expressions decide about Ready and Available, under all four names", async () => {
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
