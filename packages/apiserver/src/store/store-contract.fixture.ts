import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiObject, Store, StoredRecord, StoreEvent, StoreKey, StoreWatch, WriteResult } from "./store.ts";
import type { StoreLimits } from "./limits.ts";

/** A store under test. Disposing it closes the store. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
}

/** Returns the key of a test object. */
export const key = (name: string, namespace = "n", resource = "things"): StoreKey => ({ resource, namespace, name });

/** Returns an object of a kind without a schema. */
export function thing(name: string, value: unknown = 1): ApiObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: "u", resourceVersion: "" }, value };
}

/** Lists the names of all test objects in list order; `["compacted"]` if the revision is too old. */
export function names(store: Store, at?: number): readonly string[] {
  const listing = store.list({ resource: "things" }, at);
  return listing.kind === "listing" ? listing.records.map(({ key: { name } }) => name) : [listing.kind];
}

/** Watches the test objects; throws if the revision is compacted. */
export function mustWatch(store: Store, from: number, notify: () => void = () => {}): StoreWatch {
  const watch = store.watch({ resource: "things" }, from, notify);
  if (watch.kind === "compacted") throw new Error(`compacted up to ${watch.oldest}`);
  return watch;
}

/** Returns the written record; throws on a conflict. */
export function mustWrite(result: WriteResult): StoredRecord {
  if (result.kind === "conflict") throw new Error("conflict");
  return result.record;
}

/** Returns the content of an event for comparison. */
export function plain(event: StoreEvent): unknown {
  const previous = event.kind === "created" ? undefined : event.previous.json;
  return { kind: event.kind, revision: event.revision, key: event.record.key, json: event.record.json, previous };
}

/** Declares the tests that every {@link Store} implementation must pass. */
export function storeContract(name: string, open: (limits: StoreLimits) => Promise<OpenedStore>): void {
  describe(name, () => {
    writes(open);
    lists(open);
    watches(open);
    limits(open);
    models(open);
  });
}

type Open = (limits: StoreLimits) => Promise<OpenedStore>;

function writes(open: Open): void {
  test("an empty store is at revision 1, and every write raises it by one", async () => {
    await using opened = await open({});
    const { store } = opened;
    expect(store.revision).toBe(1);
    expect(mustWrite(await store.create(key("a"), thing("a"))).revision).toBe(2);
    await store.update(key("a"), thing("a", 2), 2);
    await store.delete(key("a"), 3);
    expect([store.revision, store.get(key("a"))]).toEqual([4, undefined]);
  });

  test("a record is frozen, carries its revision, and its JSON text matches its object", async () => {
    await using opened = await open({});
    const record = mustWrite(
      await opened.store.create(key("a"), thing("a", { big: 2n ** 60n, text: "ä\u0000\uD800😀" })),
    );
    expect([Object.isFrozen(record), Object.isFrozen(record.object.metadata)]).toEqual([true, true]);
    expect(record.object.metadata.resourceVersion).toBe("2");
    expect(record.json).toContain('"big":1152921504606846976');
    expect(opened.store.get(key("a"))).toBe(record);
  });

  test("writes with a wrong expected revision change nothing and return the stored object", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("a"), thing("a"));
    const again = await store.create(key("a"), thing("a", 2));
    expect(again.kind === "conflict" && again.current?.revision).toBe(2);
    expect((await store.update(key("a"), thing("a", 2), 1)).kind).toBe("conflict");
    expect((await store.delete(key("a"), 1)).kind).toBe("conflict");
    expect(await store.update(key("b"), thing("b", 2), 1)).toEqual({ kind: "conflict", current: undefined });
    expect(store.revision).toBe(2);
  });

  test("of concurrent writes with the same expected revision, the first one wins", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("a"), thing("a"));
    const results = await Promise.all([1, 2, 3].map((value) => store.update(key("a"), thing("a", value), 2)));
    expect(results.map(({ kind }) => kind)).toEqual(["written", "conflict", "conflict"]);
    expect([store.get(key("a"))?.object["value"], store.revision]).toEqual([1, 3]);
  });

  test("an object that cannot be encoded as JSON fails only its own write", async () => {
    await using opened = await open({});
    const { store } = opened;
    const endless: Record<string, unknown> = {};
    endless["self"] = endless;
    const both = [store.create(key("bad"), thing("bad", endless)), store.create(key("a"), thing("a"))];
    const [bad, good] = await Promise.allSettled(both);
    expect([bad?.status, good?.status, names(store), store.revision]).toEqual(["rejected", "fulfilled", ["a"], 2]);
  });

  test("a closed store ends its watches, rejects writes, and can still be read", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("a"), thing("a"));
    const watch = store.watch({}, 1, () => {});
    store.close();
    store.close();
    expect(watch).toMatchObject({ endReason: "closed", pendingCount: 1 });
    expect(store.watch({}, 2, () => {})).toMatchObject({ endReason: "closed" });
    await expect(store.create(key("b"), thing("b"))).rejects.toMatchObject({ code: 503, failure: "closed" });
    expect(names(store)).toEqual(["a"]);
  });
}

function lists(open: Open): void {
  test("lists are ordered as etcd orders keys", async () => {
    await using opened = await open({});
    const { store } = opened;
    for (const [namespace, name] of [
      ["b", "x"],
      ["a", "y"],
      ["a-b", "z"],
      ["a0", "w"],
    ] as const) {
      await store.create(key(name, namespace), thing(name));
    }
    expect(names(store)).toEqual(["z", "y", "w", "x"]);
    expect(store.list({ resource: "things", namespace: "a" })).toMatchObject({ records: [{ key: { name: "y" } }] });
    expect(store.list({ resource: "others" })).toEqual({ kind: "listing", revision: 5, records: [] });
  });

  test("a returned list does not change later", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("b"), thing("b"));
    const before = store.list({ resource: "things" });
    const records = before.kind === "listing" ? [...before.records] : [];
    await store.create(key("a"), thing("a"));
    await store.update(key("b"), thing("b", 2), 2);
    expect(before).toEqual({ kind: "listing", revision: 2, records });
  });

  test("the history of an object contains only its own events, oldest first", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("a"), thing("a"));
    await store.create(key("a", "other"), thing("a"));
    await store.update(key("a"), thing("a", 2), 2);
    await store.delete(key("a"), 4);
    const events = store.history(key("a"));
    expect(events.map(({ kind, revision }) => `${kind} ${revision}`)).toEqual(["created 2", "updated 4", "deleted 5"]);
    expect(events[2]?.record.object).toMatchObject({ metadata: { resourceVersion: "5" }, value: 2 });
  });
}

function watches(open: Open): void {
  test("a watch is notified synchronously, in order, and only for its scope", async () => {
    await using opened = await open({});
    const { store } = opened;
    let notified = 0;
    const watch = store.watch({ resource: "things", namespace: "n" }, 1, () => notified++);
    await store.create(key("a"), thing("a"));
    await store.create(key("b", "other"), thing("b"));
    await store.create(key("a", "n", "others"), thing("a"));
    await store.delete(key("a"), 2);
    expect(notified).toBe(2);
    expect(watch.kind === "watch" && watch.take(10).map(({ kind }) => kind)).toEqual(["created", "deleted"]);
  });

  test("a write is readable when its watchers are notified", async () => {
    await using opened = await open({});
    const { store } = opened;
    const seen: unknown[] = [];
    const watch = store.watch({}, 1, () => seen.push([store.revision, store.get(key("a"))?.object["value"]]));
    await store.create(key("a"), thing("a"));
    await store.update(key("a"), thing("a", 2), 2);
    expect([seen, watch.kind]).toEqual([
      [
        [2, 1],
        [3, 2],
      ],
      "watch",
    ]);
  });

  test("a watch without a resource receives the writes of all resources in revision order", async () => {
    await using opened = await open({});
    const { store } = opened;
    await store.create(key("a"), thing("a"));
    const watch = store.watch({}, 1, () => {});
    await store.create(key("b", "n", "others"), thing("b"));
    const seen = watch.kind === "watch" ? watch.take(10) : [];
    expect(seen.map(({ record }) => record.key.resource)).toEqual(["things", "others"]);
  });

  test("a closed watch receives no more events", async () => {
    await using it = await open({});
    const watch = mustWatch(it.store, 1);
    watch.close();
    watch.close();
    await it.store.create(key("a"), thing("a"));
    expect([watch.pendingCount, watch.take(10), watch.endReason]).toEqual([0, [], "closed"]);
  });
}

function limits(open: Open): void {
  test("history is bounded: older revisions are compacted for lists and watches", async () => {
    await using it = await open({ historyMax: 3 });
    const { store } = it;
    for (let index = 0; index < 10; index++) await store.create(key(String(index)), thing(String(index)));
    expect(names(store, 8)).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(names(store, 7)).toEqual(["compacted"]);
    expect(store.watch({ resource: "things" }, 7, () => {})).toEqual({ kind: "compacted", oldest: 8 });
    const replayed = mustWatch(store, 8).take(10);
    expect(replayed.map(({ revision }) => revision)).toEqual([9, 10, 11]);
  });

  test("history is bounded in bytes: large past versions are dropped sooner", async () => {
    await using it = await open({ historyMaxBytes: 10_000 });
    const { store } = it;
    await store.create(key("a"), thing("a"));
    for (let revision = 2; revision < 20; revision++) {
      await store.update(key("a"), thing("a", "x".repeat(3000)), revision);
    }
    expect(store.history(key("a")).map(({ revision }) => revision)).toEqual([18, 19, 20]);
    expect(mustWatch(store, 17).take(10)).toHaveLength(3);
  });

  test("a slow watcher is ended; replayed events do not count", async () => {
    await using it = await open({ backlogMax: 2 });
    const { store } = it;
    for (const name of ["a", "b", "c", "d"]) await store.create(key(name), thing(name));
    const watch = mustWatch(store, 1);
    await store.create(key("e"), thing("e"));
    await store.create(key("f"), thing("f"));
    expect([watch.endReason, watch.pendingCount]).toEqual([undefined, 6]);
    expect(watch.take(5)).toHaveLength(5);
    for (const name of ["g", "h"]) await store.create(key(name), thing(name));
    expect([watch.endReason, watch.pendingCount]).toEqual(["slow", 0]);
  });

  test("a watcher is also ended as slow by bytes, but a single event is always accepted", async () => {
    await using it = await open({ backlogMaxBytes: 1000 });
    const { store } = it;
    const watch = mustWatch(store, 1);
    await store.create(key("a"), thing("a", "x".repeat(3000)));
    expect(watch.endReason).toBe(undefined);
    expect(watch.take(10)).toHaveLength(1);
    for (const name of ["b", "c", "d"]) await store.create(key(name), thing(name, "x".repeat(300)));
    expect([watch.endReason, watch.pendingCount]).toEqual(["slow", 0]);
  });
}

/** A write of the model, with a correct or a wrong expected revision. */
const modelWrite = fc.record({
  kind: fc.constantFrom("create", "update", "delete"),
  key: fc.record({
    resource: fc.constantFrom("things", "others"),
    namespace: fc.constantFrom("", "a", "a-b"),
    name: fc.constantFrom("x", "y", "z"),
  }),
  value: fc.nat(9),
  isLie: fc.boolean(),
});

/** Writes of the model, in groups that are issued concurrently. */
export const modelGroups: fc.Arbitrary<readonly (readonly ModelWrite[])[]> = fc.array(
  fc.array(modelWrite, { minLength: 1, maxLength: 4 }),
  { maxLength: 15 },
);

type ModelWrite = typeof modelWrite extends fc.Arbitrary<infer T> ? T : never;

const idOf = ({ resource, namespace, name }: StoreKey): string => `${resource}/${namespace}/${name}`;

/** Reference model of a store: revisions and values by key. */
export class Model {
  revision = 1;
  readonly present = new Map<string, { readonly revision: number; readonly value: number }>();

  /** Issues one write to a store and returns its expected result. */
  issue(store: Store, write: ModelWrite): { readonly result: Promise<WriteResult>; readonly expected: string } {
    const current = this.present.get(idOf(write.key));
    const expected = write.isLie ? 1 : (current?.revision ?? 1);
    const isTaken = write.kind === "create" ? current === undefined : current?.revision === expected;
    if (isTaken) this.revision++;
    if (isTaken && write.kind === "delete") this.present.delete(idOf(write.key));
    if (isTaken && write.kind !== "delete") {
      this.present.set(idOf(write.key), { revision: this.revision, value: write.value });
    }
    return {
      result: send(store, write, expected),
      expected: isTaken ? `written ${this.revision}` : `conflict ${current?.revision}`,
    };
  }

  /** Returns the ids of a resource's objects in list order. */
  ids(resource: string): readonly string[] {
    return [...this.present.keys()].filter((id) => id.startsWith(`${resource}/`)).toSorted();
  }
}

function send(store: Store, write: ModelWrite, expected: number): Promise<WriteResult> {
  const object = thing(write.key.name, write.value);
  if (write.kind === "create") return store.create(write.key, object);
  return write.kind === "update" ? store.update(write.key, object, expected) : store.delete(write.key, expected);
}

/** Formats a result for comparison with the model. */
export function outcome(result: WriteResult): string {
  return result.kind === "written" ? `written ${result.record.revision}` : `conflict ${result.current?.revision}`;
}

function idsOf(store: Store, resource: string, at?: number): readonly string[] {
  const listing = store.list({ resource }, at);
  return listing.kind === "listing" ? listing.records.map((record) => idOf(record.key)) : [listing.kind];
}

function models(open: Open): void {
  test("a store matches the model for sequential and concurrent writes", async () => {
    const property = fc.asyncProperty(modelGroups, async (groups) => {
      await using opened = await open({});
      const { store } = opened;
      const model = new Model();
      for (const group of groups) {
        const issued = group.map((write) => model.issue(store, write));
        const results = await Promise.all(issued.map(({ result }) => result));
        expect(results.map(outcome)).toEqual(issued.map(({ expected }) => expected));
        for (const resource of ["things", "others"]) expect(idsOf(store, resource)).toEqual(model.ids(resource));
      }
      expect(store.revision).toBe(model.revision);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("every revision in the history can be listed and watched from", async () => {
    const property = fc.asyncProperty(modelGroups, async (groups) => {
      await using it = await open({});
      const { store } = it;
      const model = new Model();
      const states = new Map([[1, idsOf(store, "things")]]);
      for (const group of groups) {
        await Promise.all(group.map((write) => model.issue(store, write).result));
        states.set(store.revision, idsOf(store, "things"));
      }
      for (const [revision, ids] of states) {
        expect(idsOf(store, "things", revision)).toEqual(ids);
        const rebuilt = new Set(ids);
        for (const event of mustWatch(store, revision).take(1000)) {
          if (event.kind === "deleted") rebuilt.delete(idOf(event.record.key));
          else rebuilt.add(idOf(event.record.key));
        }
        expect([...rebuilt].toSorted()).toEqual(model.ids("things"));
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
}
