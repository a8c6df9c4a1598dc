import { copyFileSync, readFileSync } from "node:fs";
import { memoryLogger } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { key, names, mustWatch, thing, mustWrite } from "../store-contract.fixture.ts";
import { checkDataFile } from "./check.ts";
import { checkFlips, filled, overwrite, values } from "./damaged-file.fixture.ts";
import { TestFile } from "./file.fixture.ts";
import { LINEAGE_TRIGGERS } from "./file-format.ts";
import { checksumOf } from "./stored-row.ts";

const [, DELETED_TRIGGER = ""] = LINEAGE_TRIGGERS;

/** Downgrades a file to format 1. */
const DOWNGRADE: readonly string[] = [
  "PRAGMA user_version = 1",
  "DROP TRIGGER version_inserted",
  "DROP TRIGGER version_deleted",
  "DROP TABLE quarantine",
  "DROP TABLE lineage",
];

describe("a damaged row", () => {
  test("with the latest version of an object hides only that object, also after the next start", async () => {
    using file = new TestFile();
    await filled(file);
    overwrite(file, "b-second", "X-second");
    const { logger, lines } = memoryLogger();
    const entry = { revision: 5, key: key("b"), state: "lost", reason: "checksum mismatch" };
    for (let start = 0; start < 2; start++) {
      const store = await file.open({ logger });
      expect([values(store), store.revision, store.quarantine]).toEqual([["a-second", "c-second"], 9, [entry]]);
      expect(store.quarantined(key("b"))).toEqual(entry);
      expect(store.quarantined(key("a"))).toBeUndefined();
      store.close();
    }
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "error stored object is damaged and not served",
      "error stored object is damaged and not served",
    ]);
  });

  test("with an older version hides no object, but watches can start only after it", async () => {
    using file = new TestFile();
    await filled(file);
    overwrite(file, "b-first", "X-first");
    const store = await file.open();
    expect([values(store), store.quarantine.map(({ state, revision }) => [state, revision])]).toEqual([
      ["a-second", "b-second", "c-second"],
      [["superseded", 4]],
    ]);
    expect(store.watch({}, 4, () => {})).toEqual({ kind: "compacted", oldest: 5 });
    expect(
      mustWatch(store, 5)
        .take(10)
        .map(({ revision }) => revision),
    ).toEqual([6, 7, 8, 9]);
    store.close();
  });

  test("with a deletion does not restore the deleted object", async () => {
    using file = new TestFile();
    await filled(file);
    await file.edit("UPDATE version SET checksum = checksum + 1 WHERE kind = 'deleted'");
    const store = await file.open();
    expect([names(store), store.quarantined(key("gone"))?.revision]).toEqual([["a", "b", "c"], 9]);
    store.close();
  });

  test("that is missing is reported, and hides its object only if there is no later version", async () => {
    using file = new TestFile();
    await filled(file);
    await file.edit("DROP TRIGGER version_deleted", "DELETE FROM version WHERE revision IN (2, 7)", DELETED_TRIGGER);
    const store = await file.open();
    expect([names(store), store.quarantine.map((row) => [row.revision, row.key?.name, row.state])]).toEqual([
      ["a", "b"],
      [
        [2, "a", "superseded"],
        [7, "c", "lost"],
      ],
    ]);
    store.close();
  });

  test("from before the history hides its object, and the history stays available", async () => {
    using file = new TestFile();
    await filled(file, { historyMax: 2 });
    overwrite(file, "a-second", "X-second");
    const store = await file.open({ historyMax: 2 });
    expect([values(store), store.quarantined(key("a"))?.revision]).toEqual([["b-second", "c-second"], 3]);
    expect(
      mustWatch(store, 7)
        .take(10)
        .map(({ revision }) => revision),
    ).toEqual([8, 9]);
    store.close();
  });

  test("from before the history is reported even if the row is missing", async () => {
    using file = new TestFile();
    await filled(file, { historyMax: 2 });
    await file.edit("DROP TRIGGER version_deleted", "DELETE FROM version WHERE revision = 3", DELETED_TRIGGER);
    const store = await file.open({ historyMax: 2 });
    expect([values(store), store.quarantine.map(({ revision, key: of, state }) => [revision, of, state])]).toEqual([
      ["b-second", "c-second"],
      [[3, key("a"), "lost"]],
    ]);
    store.close();
  });

  test("is preserved byte for byte across later writes and compactions", async () => {
    using file = new TestFile();
    await filled(file);
    overwrite(file, "b-second", "X-second");
    const store = await file.open({ historyMax: 2 });
    for (let n = 0; n < 50; n++) {
      const { revision } = store.get(key("a")) ?? { revision: 0 };
      await store.update(key("a"), thing("a", n), revision);
    }
    store.close();
    expect(readFileSync(file.path).includes("X-second")).toBe(true);
    expect(readFileSync(file.path).includes("b-first")).toBe(true);
    expect((await checkDataFile(file.path)).quarantined.map(({ revision }) => revision)).toEqual([5]);
  });

  test("rejects every write to its object, but no other write", async () => {
    using file = new TestFile();
    await filled(file);
    overwrite(file, "b-second", "X-second");
    const store = await file.open();
    const refused = { failure: "quarantined", message: expect.stringContaining("levelset apiserver check") };
    await expect(store.create(key("b"), thing("b"))).rejects.toMatchObject(refused);
    await expect(store.delete(key("b"), 5)).rejects.toMatchObject(refused);
    expect(mustWrite(await store.create(key("d"), thing("d"))).revision).toBe(10);
    store.close();
  });

  test("that is found at a later start is quarantined as well", async () => {
    using file = new TestFile();
    await filled(file);
    overwrite(file, "b-second", "X-second");
    (await file.open()).close();
    // The first copy is in the table `damaged_1`.
    await file.edit("UPDATE version SET json = 'no' WHERE revision = 7");
    const store = await file.open();
    expect([names(store), store.quarantine.map((row) => row.key?.name)]).toEqual([["a"], ["b", "c"]]);
    store.close();
  });
});

test("a file in format 1 is served without its damaged rows, and is not changed if it is refused", async () => {
  using file = new TestFile();
  await filled(file);
  await file.edit(...DOWNGRADE);
  overwrite(file, "b-second", "X-second");
  const store = await file.open();
  expect([values(store), store.quarantine.map(({ revision }) => revision)]).toEqual([["a-second", "c-second"], [5]]);
  store.close();
  using other = new TestFile();
  await filled(other);
  await other.edit(...DOWNGRADE, "DELETE FROM version WHERE revision = 9");
  const before = readFileSync(other.path);
  await expect(other.open()).rejects.toThrow(
    `${other.path} is damaged: revision 9 is lost, and the object that it changed is unknown`,
  );
  expect(readFileSync(other.path).equals(before)).toBe(true);
});

test("a file with a lone surrogate in a name opens, with that object quarantined", async () => {
  using file = new TestFile();
  await filled(file);
  // Version 0.1 computed the checksum from the original name, but SQLite stored the name with a replacement character.
  const row = [10, "created", "things", "n", "a\ud800b", null, "{}"];
  const values10 = `10, 'created', 'things', 'n', 'a\ufffdb', NULL, '{}', ${checksumOf(row)}`;
  await file.edit(...DOWNGRADE, `INSERT INTO version VALUES (${values10})`, "UPDATE position SET revision = 10");
  const store = await file.open();
  expect([values(store), store.revision, store.quarantine.map((each) => each.key?.name)]).toEqual([
    ["a-second", "b-second", "c-second"],
    10,
    ["a\ufffdb"],
  ]);
  store.close();
});

test("an undamaged file in format 1 gets a lineage, so that later damage can be attributed to an object", async () => {
  using file = new TestFile();
  await filled(file);
  await file.edit(...DOWNGRADE);
  (await file.open()).close();
  await file.edit("DROP TRIGGER version_deleted", "DELETE FROM version WHERE revision = 9", DELETED_TRIGGER);
  const store = await file.open();
  expect([names(store), store.quarantined(key("gone"))?.revision]).toEqual([["a", "b", "c"], 9]);
  store.close();
});

test("a check reports what a start would do, and does not change the file", async () => {
  using file = new TestFile();
  await filled(file);
  const whole = await checkDataFile(file.path);
  expect(whole).toEqual({
    path: file.path,
    revision: 9,
    intactRows: 8,
    quarantined: [],
    damaged: [],
    refused: undefined,
  });
  overwrite(file, "b-second", "X-second");
  const before = readFileSync(file.path);
  const report = await checkDataFile(file.path);
  expect([report.damaged.map(({ revision }) => revision), report.refused]).toEqual([[5], undefined]);
  expect(readFileSync(file.path).equals(before)).toBe(true);
  const store = await file.open();
  await expect(checkDataFile(file.path)).rejects.toThrow("is in use by another process");
  store.close();
  expect((await checkDataFile(file.path)).quarantined.map(({ revision }) => revision)).toEqual([5]);
});

test("a check also reads the WAL left behind by a killed process", async () => {
  using file = new TestFile();
  using killed = new TestFile();
  const store = await file.open();
  await store.create(key("a"), thing("a"));
  for (const end of ["", "-wal"]) copyFileSync(file.path + end, killed.path + end);
  store.close();
  expect(await checkDataFile(killed.path)).toMatchObject({ revision: 2, intactRows: 1, refused: undefined });
});

test("a store rejects keys that SQLite would not return unchanged", async () => {
  using file = new TestFile();
  const store = await file.open();
  for (const name of ["a\ud800", "a\0"]) {
    await expect(store.create(key(name), thing(name))).rejects.toThrow("the name of a stored object must");
  }
  store.close();
});

test("a file with flipped bits opens, serves only correct objects, and reports the damaged ones", async () => {
  expect(await checkFlips(15)).toBe(15);
});
