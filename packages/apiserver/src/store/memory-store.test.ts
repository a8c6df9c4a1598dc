import fc from "fast-check";
import { expect, test } from "vitest";
import {
  key,
  Model,
  modelGroups,
  names,
  mustWatch,
  outcome,
  plain,
  storeContract,
  thing,
} from "./store-contract.fixture.ts";
import { MemoryStore } from "./memory-store.ts";

storeContract("a memory store", async (limits) => ({
  store: new MemoryStore(limits),
  [Symbol.asyncDispose]: async () => {},
}));

test("a fork starts with the same objects, revision and history, and changes independently", async () => {
  const store = new MemoryStore();
  await store.create(key("a"), thing("a"));
  const fork = store.fork();
  expect(fork.get(key("a"))).toBe(store.get(key("a")));
  await store.delete(key("a"), 2);
  await fork.create(key("b"), thing("b"));
  await fork.update(key("a"), thing("a", 2), 2);
  expect([names(store), store.revision]).toEqual([[], 3]);
  expect([names(fork), fork.revision]).toEqual([["a", "b"], 4]);
  expect([names(store, 2), names(fork, 2)]).toEqual([["a"], ["a"]]);
  expect(store.history(key("a")).map(({ kind }) => kind)).toEqual(["created", "deleted"]);
  expect(fork.history(key("a")).map(({ kind }) => kind)).toEqual(["created", "updated"]);
});

test("a fork shares neither watchers nor closing with its origin", async () => {
  const store = new MemoryStore({ historyMax: 2 });
  const watch = mustWatch(store, 1);
  const fork = store.fork();
  await fork.create(key("a"), thing("a"));
  store.close();
  expect([watch.pendingCount, watch.endReason]).toEqual([0, "closed"]);
  for (const name of ["b", "c"]) await fork.create(key(name), thing(name));
  expect(fork.watch({}, 1, () => {})).toEqual({ kind: "compacted", oldest: 2 });
});

test("writes to a store and its fork never affect each other", async () => {
  const property = fc.asyncProperty(modelGroups, modelGroups, modelGroups, async (before, here, there) => {
    const [store, alone] = [new MemoryStore(), new MemoryStore()];
    const [model, other] = [new Model(), new Model()];
    for (const write of before.flat()) {
      await model.issue(store, write).result;
      await other.issue(alone, write).result;
    }
    const fork = store.fork();
    const forked = new Model();
    forked.revision = model.revision;
    for (const [id, value] of model.present) forked.present.set(id, value);
    for (let index = 0; index < Math.max(here.length, there.length); index++) {
      for (const write of there[index] ?? []) {
        const { result, expected } = forked.issue(fork, write);
        expect(outcome(await result)).toBe(expected);
      }
      for (const write of here[index] ?? []) {
        await model.issue(store, write).result;
        await other.issue(alone, write).result;
      }
    }
    expect(mustWatch(store, 1).take(1000).map(plain)).toEqual(mustWatch(alone, 1).take(1000).map(plain));
    for (let at = 1; at <= store.revision; at++) expect(names(store, at)).toEqual(names(alone, at));
  });
  await fc.assert(property, { numRuns: 60 });
});
