import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KubeObject } from "@levelset/core";
import { ObjectStore } from "./object-store.ts";

function thing(name: string, version: number, uid = name): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid, resourceVersion: String(version) } };
}

describe("the object store", () => {
  test("shows our own write at once, and takes the watch's echo of it for no change", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    store.put(thing("a", 3));
    expect(store.get({ name: "a" })?.metadata.resourceVersion).toBe("3");
    expect(store.put(thing("a", 2))).toEqual([]);
    expect(store.put(thing("a", 3))).toEqual([]);
    expect(store.put(thing("a", 4))).toMatchObject([{ kind: "updated", previous: thing("a", 3) }]);
  });

  test("keeps a spec once however often the status beside it is written, and takes another one as it comes", () => {
    const store = new ObjectStore<KubeObject>();
    const put = (version: number, generation: number, spec: unknown): unknown => {
      const { metadata, ...rest } = thing("a", version);
      store.put({ ...rest, metadata: { ...metadata, generation }, spec } as KubeObject);
      return (store.get({ name: "a" }) as { readonly spec?: unknown }).spec;
    };
    const first = put(1, 1, { list: [1, 2] });
    expect(put(2, 1, { list: [1, 2] })).toBe(first);
    // Nobody raises a generation when a server begins to show a default.
    expect(put(3, 1, { list: [1, 2], added: true })).toEqual({ list: [1, 2], added: true });
    expect(put(4, 2, { list: [3] })).toEqual({ list: [3] });
  });

  test("compares versions as numbers, not as text", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 9));
    expect(store.put(thing("a", 10))).toMatchObject([{ kind: "updated" }]);
  });

  test("does not let a late answer bring a deleted object back", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(store.remove(thing("a", 5))).toMatchObject([{ kind: "removed" }]);
    expect(store.put(thing("a", 4))).toEqual([]);
    expect(store.get({ name: "a" })).toBeUndefined();
    expect(store.put(thing("a", 6))).toMatchObject([{ kind: "added" }]);
  });

  test("does not let a late event bring back an incarnation that is known to be gone", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1));
    expect(store.bury({ name: "a" }, "a")).toMatchObject([{ kind: "removed" }]);
    expect(store.put(thing("a", 9))).toEqual([]);
    expect(store.put(thing("a", 10, "another"))).toMatchObject([{ kind: "added" }]);
    expect(store.bury({ name: "a" }, "a")).toEqual([]);
  });

  test("tells an object that came back under the same name as another: removed, then added", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 1, "first"));
    const changes = store.replace([thing("a", 5, "second")], "6");
    expect(changes.map(({ kind, object }) => `${kind} ${object.metadata.uid}`)).toEqual([
      "removed first",
      "added second",
    ]);
  });

  test("remembers the deletions of late, and of one that goes again and again the last", () => {
    const store = new ObjectStore<KubeObject>();
    store.remove(thing("a", 5));
    for (let each = 0; each < 999; each++) store.remove(thing(`other-${each}`, 10 + each));
    store.remove(thing("a", 2_000));
    store.remove(thing("one-more", 2_001));
    expect(store.put(thing("a", 1_999))).toEqual([]);
    expect(store.put(thing("other-1", 10))).toEqual([]);
    // The oldest is forgotten.
    expect(store.put(thing("other-0", 9))).toMatchObject([{ kind: "added" }]);
  });

  test("ignores the deletion of an incarnation that was already replaced", () => {
    const store = new ObjectStore<KubeObject>();
    store.put(thing("a", 7));
    expect(store.remove(thing("a", 5))).toEqual([]);
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

  test("finds objects by index exactly as a look at all of them would, after any changes", () => {
    const parity = (object: KubeObject): readonly string[] => {
      const version = Number(object.metadata.resourceVersion);
      return version % 3 === 0 ? ["third", version % 2 === 0 ? "even" : "odd"] : [version % 2 === 0 ? "even" : "odd"];
    };
    const step = fc.record({
      kind: fc.constantFrom("put", "remove", "replace", "bury"),
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
          else if (kind === "bury") each.bury({ name }, `${name}${version % 4}`);
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
