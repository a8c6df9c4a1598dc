import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "@levelset/core";
import { ObjectStore } from "./index.ts";

function thing(name: string, version: number): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: name, resourceVersion: String(version) } };
}

describe("the object store", () => {
  test("shows our own write at once, and takes the watch's echo of it for no change", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    store.put(thing("a", 3));
    expect(store.get({ name: "a" })?.metadata.resourceVersion).toBe("3");
    expect(store.put(thing("a", 2))).toBeUndefined();
    expect(store.put(thing("a", 3))).toBeUndefined();
    expect(store.put(thing("a", 4))).toMatchObject({ kind: "updated", previous: thing("a", 3) });
  });

  test("compares versions as numbers, not as text", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 9));
    expect(store.put(thing("a", 10))?.kind).toBe("updated");
  });

  test("does not let a late answer bring a deleted object back", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(store.remove(thing("a", 5))?.kind).toBe("removed");
    expect(store.put(thing("a", 4))).toBeUndefined();
    expect(store.get({ name: "a" })).toBeUndefined();
    expect(store.put(thing("a", 6))?.kind).toBe("added");
  });

  test("ignores the deletion of an incarnation that was already replaced", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 7));
    expect(store.remove(thing("a", 5))).toBeUndefined();
    expect(store.size).toBe(1);
  });

  test("forgets what a fresh list lacks, unless it knows a later version", () => {
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

  test("freezes what it holds", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(Object.isFrozen(store.get({ name: "a" })?.metadata)).toBe(true);
  });

  test("ends with the newest version of each object, in whatever order versions arrive", () => {
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
