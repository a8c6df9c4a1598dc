import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject, StoredRecord, StoreKey, StoreWatch } from "./contract.ts";
import { MemoryStore } from "./memory.ts";

const key = (name: string, namespace = "n"): StoreKey => ({ resource: "things", namespace, name });

function thing(name: string, value: number): ApiObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: "u", resourceVersion: "" }, value };
}

function names(store: MemoryStore, at?: number): readonly string[] {
  const listing = store.list({ resource: "things" }, at);
  return listing.kind === "listing" ? listing.records.map(({ key: { name } }) => name) : ["compacted"];
}

function opened(store: MemoryStore, from: number, wake: () => void = () => {}): StoreWatch {
  const watch = store.watch({ resource: "things" }, from, wake);
  if (watch.kind === "compacted") throw new Error("compacted");
  return watch;
}

test("an empty store is at revision 1, and every write raises it by one", async () => {
  const store = new MemoryStore();
  expect(store.revision).toBe(1);
  const created = await store.create(key("a"), thing("a", 1));
  expect(created.kind === "written" && created.record.revision).toBe(2);
  await store.update(key("a"), thing("a", 2), 2);
  await store.delete(key("a"), 3);
  expect(store.revision).toBe(4);
});

test("a record is frozen, carries its revision, and its text is what it says", async () => {
  const store = new MemoryStore();
  const result = await store.create(key("a"), thing("a", 1));
  const record = result.kind === "written" ? result.record : undefined;
  expect(Object.isFrozen(record?.object.metadata)).toBe(true);
  expect(record?.object.metadata.resourceVersion).toBe("2");
  expect(JSON.parse(record?.json ?? "")).toEqual(record?.object);
});

test("writes with another expectation change nothing and say what is there", async () => {
  const store = new MemoryStore();
  await store.create(key("a"), thing("a", 1));
  const again = await store.create(key("a"), thing("a", 2));
  expect(again.kind === "conflict" && again.current?.revision).toBe(2);
  expect((await store.update(key("a"), thing("a", 2), 1)).kind).toBe("conflict");
  expect((await store.delete(key("a"), 1)).kind).toBe("conflict");
  expect(await store.update(key("b"), thing("b", 2), 1)).toEqual({ kind: "conflict", current: undefined });
  expect(store.revision).toBe(2);
});

test("lists are ordered as etcd orders keys", async () => {
  const store = new MemoryStore();
  for (const [namespace, name] of [
    ["b", "x"],
    ["a", "y"],
    ["a-b", "z"],
  ] as const) {
    await store.create(key(name, namespace), thing(name, 1));
  }
  expect(names(store)).toEqual(["z", "y", "x"]);
  expect(store.list({ resource: "things", namespace: "a" })).toMatchObject({ records: [{ key: { name: "y" } }] });
});

test("a watch wakes with the write, in order, and only for its scope", async () => {
  const store = new MemoryStore();
  let woken = 0;
  const watch = store.watch({ resource: "things", namespace: "n" }, 1, () => woken++);
  await store.create(key("a"), thing("a", 1));
  await store.create(key("b", "other"), thing("b", 1));
  await store.delete(key("a"), 2);
  expect(woken).toBe(2);
  expect(watch.kind === "watch" && watch.take(10).map(({ kind }) => kind)).toEqual(["created", "deleted"]);
});

test("a watch of no particular resource sees the writes of all, in one order", async () => {
  const store = new MemoryStore();
  const watch = store.watch({}, 1, () => {});
  await store.create(key("a"), thing("a", 1));
  await store.create({ ...key("b"), resource: "others" }, thing("b", 1));
  const seen = watch.kind === "watch" ? watch.take(10) : [];
  expect(seen.map(({ record }) => record.key.resource)).toEqual(["things", "others"]);
});

test("history is bounded: older revisions are compacted for lists and watches", async () => {
  const store = new MemoryStore({ historyMax: 3 });
  for (let index = 0; index < 10; index++) await store.create(key(String(index)), thing(String(index), index));
  expect(names(store, 8)).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
  expect(names(store, 7)).toEqual(["compacted"]);
  expect(store.watch({ resource: "things" }, 7, () => {})).toEqual({ kind: "compacted", oldest: 8 });
  expect(
    opened(store, 8)
      .take(10)
      .map(({ revision }) => revision),
  ).toEqual([9, 10, 11]);
});

test("a slow watcher is ended; what it replays does not count", async () => {
  const store = new MemoryStore({ backlogMax: 2 });
  for (const name of ["a", "b", "c", "d"]) await store.create(key(name), thing(name, 1));
  const watch = opened(store, 1);
  await store.create(key("e"), thing("e", 1));
  await store.create(key("f"), thing("f", 1));
  expect([watch.ended, watch.waiting]).toEqual([undefined, 6]);
  expect(watch.take(5)).toHaveLength(5);
  for (const name of ["g", "h"]) await store.create(key(name), thing(name, 1));
  expect([watch.ended, watch.waiting]).toEqual(["slow", 0]);
});

test("a closed store ends its watches and refuses writes", async () => {
  const store = new MemoryStore();
  const watch = opened(store, 1);
  store.close();
  expect(watch.ended).toBe("closed");
  await expect(store.create(key("a"), thing("a", 1))).rejects.toThrow("closed");
});

test("every revision in the window can be listed exactly as it was, and replayed from", async () => {
  const write = fc.record({ name: fc.constantFrom("a", "b", "c"), kind: fc.constantFrom("put", "delete") });
  const property = fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
    const store = new MemoryStore();
    const states = new Map<number, readonly StoredRecord[]>();
    const remember = (): void => {
      const listing = store.list({ resource: "things" });
      if (listing.kind === "listing") states.set(store.revision, listing.records);
    };
    remember();
    for (const { name, kind } of writes) {
      const current = store.get(key(name));
      if (kind === "delete" && current !== undefined) await store.delete(key(name), current.revision);
      else if (current === undefined) await store.create(key(name), thing(name, 1));
      else await store.update(key(name), thing(name, 2), current.revision);
      remember();
    }
    for (const [revision, records] of states) {
      expect(store.list({ resource: "things" }, revision)).toEqual({ kind: "listing", revision, records });
      const rebuilt = new Map(records.map((record) => [record.key.name, record]));
      for (const event of opened(store, revision).take(1000)) {
        if (event.kind === "deleted") rebuilt.delete(event.record.key.name);
        else rebuilt.set(event.record.key.name, event.record);
      }
      expect([...rebuilt.keys()].toSorted()).toEqual(names(store));
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
