import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
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
  mustWrite,
} from "../store-contract.fixture.ts";
import type { Store } from "../store.ts";
import { MemoryStore } from "../memory-store.ts";
import { TestFile } from "./file.fixture.ts";

storeContract("a durable store", async (limits) => {
  const file = new TestFile();
  const store = await file.open(limits);
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      store.close();
      file[Symbol.dispose]();
    },
  };
});

/** Returns all readable state of a store for comparison. */
function everything(store: Store): unknown {
  const listing = store.list({ resource: "things" });
  const watch = store.watch({}, 1, () => {});
  return {
    revision: store.revision,
    records: listing.kind === "listing" ? listing.records.map(({ json }) => json) : listing,
    events: watch.kind === "watch" ? watch.take(1000).map(plain) : watch,
  };
}

test("a store matches a memory store across writes and reopens", async () => {
  const property = fc.asyncProperty(modelGroups, fc.constantFrom(2, 5, 1000), async (groups, historyMax) => {
    using file = new TestFile();
    const memory = new MemoryStore({ historyMax });
    const [model, other] = [new Model(), new Model()];
    for (const [index, group] of groups.entries()) {
      const store = await file.open({ historyMax });
      expect(everything(store)).toEqual(everything(memory));
      const issued = group.map((write) => model.issue(store, write));
      // close() stores queued writes.
      if (index % 2 === 0) store.close();
      const results = await Promise.all(issued.map(({ result }) => result));
      expect(results.map(outcome)).toEqual(issued.map(({ expected }) => expected));
      store.close();
      await Promise.all(group.map((write) => other.issue(memory, write).result));
    }
  });
  await fc.assert(property, { numRuns: 15 });
});

test("a watch resumes after a restart", async () => {
  using file = new TestFile();
  const before = await file.open();
  await before.create(key("a"), thing("a"));
  const seen = before.revision;
  await before.update(key("a"), thing("a", 2), 2);
  await before.delete(key("a"), 3);
  before.close();
  const after = await file.open();
  const watch = mustWatch(after, seen);
  await after.create(key("b"), thing("b"));
  expect(watch.take(10).map(({ kind, revision }) => `${kind} ${revision}`)).toEqual([
    "updated 3",
    "deleted 4",
    "created 5",
  ]);
  after.close();
});

test("writes of one event loop turn share a transaction", async () => {
  using file = new TestFile();
  const { store, faults } = await file.openFaulty();
  const calls = async (count: number): Promise<number> => {
    const before = faults.calls;
    const from = store.revision;
    const keys = Array.from({ length: count }, (_, index) => key(`${from}-${index}`));
    await Promise.all(keys.map((each) => store.create(each, thing(each.name))));
    return faults.calls - before;
  };
  const alone = await calls(1);
  // Each additional write adds exactly one statement.
  expect(await calls(100)).toBe(alone + 99);
  store.close();
});

test("readers and watchers do not see a write before it is stored", async () => {
  using file = new TestFile();
  const { store, faults } = await file.openFaulty();
  faults.failNth(2, "before");
  const watch = mustWatch(store, 1);
  const writing = store.create(key("a"), thing("a"));
  expect([names(store), store.revision, watch.pendingCount]).toEqual([[], 1, 0]);
  await expect(writing).rejects.toMatchObject({ code: 500, failure: "failed" });
  expect([names(store), store.revision, watch.pendingCount]).toEqual([[], 1, 0]);
  store.close();
});

test("whichever database call fails, acknowledged writes are stored and others are not", async () => {
  for (const when of ["before", "after"] as const) {
    for (let n = 1; ; n++) {
      using file = new TestFile();
      const { store, faults } = await file.openFaulty({ historyMax: 2 });
      const kept = mustWrite(await store.create(key("kept"), thing("kept")));
      const started = faults.calls;
      faults.failNth(n, when);
      const results = await Promise.allSettled([
        store.create(key("a"), thing("a")),
        store.update(key("kept"), thing("kept", 2), kept.revision),
        store.create(key("b"), thing("b")),
      ]);
      const isOver = faults.calls < started + n;
      faults.heal();
      // The store accepts writes after the failure.
      const later = mustWrite(await store.create(key("later"), thing("later")));
      expect(later.revision).toBe(2 + results.filter(({ status }) => status === "fulfilled").length + 1);
      const answered = ["a", "kept", "b"].filter((_, index) => results[index]?.status === "fulfilled");
      expect(names(store)).toEqual([...new Set(["kept", "later", ...answered])].toSorted());
      const before = everything(store);
      store.close();
      const reopened = await file.open({ historyMax: 2 });
      expect([n, everything(reopened)]).toEqual([n, before]);
      reopened.close();
      if (isOver) break;
    }
  }
});

test("a full disk fails only writes that need space; reads and deletions still work", async () => {
  using file = new TestFile();
  const { store, faults } = await file.openFaulty();
  const small = mustWrite(await store.create(key("small"), thing("small")));
  faults.database.run("PRAGMA max_page_count = 60");
  const large = (name: string): Promise<unknown> => store.create(key(name), thing(name, "x".repeat(20_000)));
  const stored: string[] = [];
  const full = async (): Promise<unknown> => {
    for (let index = 0; ; index++) {
      try {
        await large(`large-${index}`);
        stored.push(`large-${index}`);
      } catch (error) {
        return error;
      }
    }
  };
  expect(await full()).toMatchObject({ code: 500, failure: "full", reason: "InternalError" });
  // Other writes of the same batch are stored.
  const both = await Promise.allSettled([
    store.update(key("small"), thing("small", 2), small.revision),
    large("large-x"),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(names(store)).toEqual([...stored, "small"].toSorted());
  for (const name of stored) await store.delete(key(name), store.get(key(name))?.revision ?? 0);
  await large("again");
  expect(names(store)).toEqual(["again", "small"]);
  store.close();
  const reopened = await file.open();
  expect([names(reopened), reopened.get(key("small"))?.object["value"]]).toEqual([["again", "small"], 2]);
  reopened.close();
});

test("a store accepts writes again once there is free space", async () => {
  using file = new TestFile();
  const { store, faults } = await file.openFaulty();
  faults.database.run("PRAGMA max_page_count = 5");
  await expect(store.create(key("a"), thing("a", "x".repeat(50_000)))).rejects.toMatchObject({ failure: "full" });
  faults.database.run("PRAGMA max_page_count = 1000");
  expect(mustWrite(await store.create(key("a"), thing("a", "x".repeat(50_000)))).revision).toBe(2);
  store.close();
});

test("the size of the file stays proportional to its objects", async () => {
  using file = new TestFile();
  const store = await file.open({ historyMax: 10 });
  await store.create(key("a"), thing("a"));
  for (let revision = 2; revision < 1000; revision++) {
    await store.update(key("a"), thing("a", "x".repeat(10_000)), revision);
  }
  store.close();
  expect(statSync(file.path).size).toBeLessThan(500_000);
});

test("a file shrinks after many deletions", async () => {
  using file = new TestFile();
  const store = await file.open({ historyMax: 10 });
  const all = Array.from({ length: 200 }, (_, index) => `n${index}`);
  await Promise.all(all.map((name) => store.create(key(name), thing(name, "x".repeat(30_000)))));
  for (const name of all) await store.delete(key(name), store.get(key(name))?.revision ?? 0);
  store.close();
  expect(statSync(file.path).size).toBeLessThan(2_000_000);
});

test("the file is readable only by its owner", async () => {
  using file = new TestFile();
  (await file.open()).close();
  expect((statSync(file.path).mode & 0o777).toString(8)).toBe("600");
});

test("only one store can open a file at a time", async () => {
  using file = new TestFile();
  const first = await file.open();
  await expect(file.open()).rejects.toThrow(`${file.path} is in use by another process`);
  await first.create(key("a"), thing("a"));
  first.close();
  const second = await file.open();
  expect(names(second)).toEqual(["a"]);
  second.close();
});

test.each([
  [
    "that is not a database",
    async (file: TestFile) => writeFileSync(file.path, "not a database, and long enough".repeat(200)),
  ],
  ["that is truncated", async (file: TestFile) => truncateSync(file.path, statSync(file.path).size - 5000)],
  ["with a wrong position", (file: TestFile) => file.edit("UPDATE position SET revision = 70")],
])("a file %s is refused with its path in the message and is not changed", async (_, damage) => {
  using file = new TestFile();
  const store = await file.open();
  for (const name of ["a", "b", "c"]) await store.create(key(name), thing(name, "x".repeat(5000)));
  store.close();
  await damage(file);
  const before = readFileSync(file.path);
  const opening = file.open();
  await expect(opening).rejects.toThrow(`${file.path} is damaged`);
  await expect(opening).rejects.toMatchObject({ name: "InputError", hint: expect.stringContaining("start empty") });
  expect(readFileSync(file.path).equals(before)).toBe(true);
});

test("a file of another program or of a newer levelset is refused and not changed", async () => {
  using file = new TestFile();
  await file.edit("CREATE TABLE other (a)");
  const before = readFileSync(file.path);
  await expect(file.open()).rejects.toThrow("is the database of another program");
  expect(readFileSync(file.path).equals(before)).toBe(true);
  using newer = new TestFile();
  (await newer.open()).close();
  await newer.edit("PRAGMA user_version = 99");
  await expect(newer.open()).rejects.toThrow(
    "was written by a newer levelset (format 99, this version supports up to 2)",
  );
});

test("a path that cannot be created is named in the error", async () => {
  using file = new TestFile();
  const nowhere = Object.assign(new TestFile(), { path: `${file.path}/no/such/place` });
  await expect(nowhere.open()).rejects.toThrow(`cannot open ${file.path}/no/such/place`);
  nowhere[Symbol.dispose]();
});

test("every connection of a store syncs to disk at each commit", async () => {
  using file = new TestFile();
  const settings = async (): Promise<unknown> => {
    const { store, faults } = await file.openFaulty();
    const of = (name: string): unknown => [...faults.database.rows(`PRAGMA ${name}`)].map((row) => row[name]);
    const found = { synchronous: of("synchronous"), journal: of("journal_mode"), locking: of("locking_mode") };
    store.close();
    return found;
  };
  // 2 is FULL. Checks a new file, a reopened file, and a file with quarantined rows.
  const full = { synchronous: [2], journal: ["wal"], locking: ["exclusive"] };
  expect(await settings()).toEqual(full);
  expect(await settings()).toEqual(full);
  const store = await file.open();
  await store.create(key("a"), thing("a"));
  store.close();
  await file.edit("UPDATE version SET json = 'damaged'");
  expect(await settings()).toEqual(full);
});
