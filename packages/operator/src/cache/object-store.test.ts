import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "@levelset/core";
import { ObjectStore } from "./object-store.ts";

function thing(name: string, version: number, uid = name): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid, resourceVersion: String(version) } };
}

describe("the object store", () => {
  test("returns our own write at once, and ignores the same version from the watch", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    store.put(thing("a", 3));
    expect(store.get({ name: "a" })?.metadata.resourceVersion).toBe("3");
    expect(store.put(thing("a", 2))).toEqual([]);
    expect(store.put(thing("a", 3))).toEqual([]);
    expect(store.put(thing("a", 4))).toMatchObject([{ kind: "updated", previous: thing("a", 3) }]);
  });

  test("shares an unchanged spec between versions, and stores a changed one", () => {
    const store = new ObjectStore<KubeObject>();
    const put = (version: number, generation: number, spec: unknown): unknown => {
      const { metadata, ...rest } = thing("a", version);
      store.put({ ...rest, metadata: { ...metadata, generation }, spec } as KubeObject);
      return (store.get({ name: "a" }) as { readonly spec?: unknown }).spec;
    };
    const first = put(1, 1, { list: [1, 2] });
    expect(put(2, 1, { list: [1, 2] })).toBe(first);
    // The generation stays the same when the server starts to add a default.
    expect(put(3, 1, { list: [1, 2], added: true })).toEqual({ list: [1, 2], added: true });
    expect(put(4, 2, { list: [3] })).toEqual({ list: [3] });
  });

  test("compares versions as numbers, not as text", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 9));
    expect(store.put(thing("a", 10))).toMatchObject([{ kind: "updated" }]);
  });

  test("does not restore a deleted object from a late response", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(store.remove(thing("a", 5))).toMatchObject([{ kind: "removed" }]);
    expect(store.put(thing("a", 4))).toEqual([]);
    expect(store.get({ name: "a" })).toBeUndefined();
    expect(store.put(thing("a", 6))).toMatchObject([{ kind: "added" }]);
  });

  test("does not restore a UID that is known to be deleted from a late event", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(store.tombstone({ name: "a" }, "a")).toMatchObject([{ kind: "removed" }]);
    expect(store.put(thing("a", 9))).toEqual([]);
    expect(store.put(thing("a", 10, "another"))).toMatchObject([{ kind: "added" }]);
    expect(store.tombstone({ name: "a" }, "a")).toEqual([]);
  });

  test("reports an object that was recreated under the same name as removed, then added", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1, "first"));
    const changes = store.replace([thing("a", 5, "second")], "6");
    expect(changes.map(({ kind, object }) => `${kind} ${object.metadata.uid}`)).toEqual([
      "removed first",
      "added second",
    ]);
  });

  test("remembers a bounded number of deletions, and the last one of each key", () => {
    const store = new ObjectStore<KubeObject>();
    store.remove(thing("a", 5));
    for (let each = 0; each < 999; each++) store.remove(thing(`other-${each}`, 10 + each));
    store.remove(thing("a", 2_000));
    store.remove(thing("one-more", 2_001));
    expect(store.put(thing("a", 1_999))).toEqual([]);
    expect(store.put(thing("other-1", 10))).toEqual([]);
    // The oldest tombstone is dropped.
    expect(store.put(thing("other-0", 9))).toMatchObject([{ kind: "added" }]);
  });

  test("ignores the deletion of a UID that was already replaced", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 7));
    expect(store.remove(thing("a", 5))).toEqual([]);
    expect(store.size).toBe(1);
  });

  test("removes objects that a new list lacks, unless a later version is cached", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("old", 1));
    store.put(thing("mine", 9));
    const changes = store.replace([thing("new", 3)], "5");
    expect(changes.map(({ kind, object }) => `${kind} ${object.metadata.name}`)).toEqual(["removed old", "added new"]);
    expect(
      store
        .list()
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(["mine", "new"]);
  });

  test("freezes its objects", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(Object.isFrozen(store.get({ name: "a" })?.metadata)).toBe(true);
  });

  test("finds the same objects by index as by a full scan, after any changes", () => {
    const parity = (object: KubeObject): readonly string[] => {
      const version = Number(object.metadata.resourceVersion);
      return version % 3 === 0 ? ["third", version % 2 === 0 ? "even" : "odd"] : [version % 2 === 0 ? "even" : "odd"];
    };
    const step = fc.record({
      kind: fc.constantFrom("put", "remove", "replace", "tombstone"),
      name: fc.constantFrom("a", "b", "c"),
      version: fc.integer({ min: 1, max: 60 }),
    });
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const store = new ObjectStore<KubeObject>();
      const late = new ObjectStore<KubeObject>();
      store.addIndex("parity", parity);
      for (const each of [store, late]) {
        for (const { kind, name, version } of steps) {
          if (kind === "put") each.put(thing(name, version, `${name}${version % 4}`));
          else if (kind === "remove") each.remove(thing(name, version));
          else if (kind === "tombstone") each.tombstone({ name }, `${name}${version % 4}`);
          else each.replace([thing(name, version)], String(version));
        }
      }
      late.addIndex("parity", parity);
      for (const value of ["even", "odd", "third"]) {
        const scanned = store.list().filter((object) => parity(object).includes(value));
        expect(new Set(store.byIndex("parity", value))).toEqual(new Set(scanned));
        expect(new Set(late.byIndex("parity", value))).toEqual(new Set(scanned));
      }
    });
    fc.assert(property);
  });

  test("ends with the newest version of each object regardless of the order of arrival", () => {
    const versions = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 50 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(versions, (puts) => {
        const store = new ObjectStore<KubeObject>();
        for (const [name, version] of puts) store.put(thing(name, version));
        for (const name of ["a", "b", "c"]) {
          const newest = Math.max(0, ...puts.filter(([other]) => other === name).map(([, version]) => version));
          expect(Number(store.get({ name })?.metadata.resourceVersion ?? 0)).toBe(newest);
        }
      }),
    );
  });
});
