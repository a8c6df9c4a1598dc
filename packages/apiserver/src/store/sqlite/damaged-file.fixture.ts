import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import { key, names, thing, mustWrite } from "../store-contract.fixture.ts";
import type { StoreKey } from "../store.ts";
import { TestFile } from "./file.fixture.ts";
import type { SqliteStore } from "./sqlite-store.ts";

/** Overwrites bytes of a file. */
export function overwrite(file: TestFile, from: string, to: string): void {
  const bytes = readFileSync(file.path);
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(0);
  bytes.write(to, at);
  writeFileSync(file.path, bytes);
}

/** Fills a file with three objects, each updated once, and one deleted object: revisions 2 to 9. */
export async function filled(file: TestFile, limits = {}): Promise<void> {
  const store = await file.open(limits);
  for (const name of ["a", "b", "c"]) {
    const { revision } = mustWrite(await store.create(key(name), thing(name, `${name}-first`)));
    await store.update(key(name), thing(name, `${name}-second`), revision);
  }
  const { revision } = mustWrite(await store.create(key("gone"), thing("gone", "gone-first")));
  await store.delete(key("gone"), revision);
  store.close();
}

/** Returns the values of a store's objects, sorted by name. */
export function values(store: SqliteStore): unknown {
  return names(store).map((name) => store.get(key(name))?.object["value"]);
}

interface Flip {
  /** The row and the byte within it, each as a fraction of the total. */
  readonly row: number;
  readonly byte: number;
  readonly bit: number;
}

const flips: fc.Arbitrary<readonly Flip[]> = fc.array(
  fc.record({
    row: fc.double({ min: 0, max: 0.999_99, noNaN: true }),
    byte: fc.double({ min: 0, max: 0.999_99, noNaN: true }),
    bit: fc.nat(7),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Returns the byte range of a row in the file: SQLite's record header and the columns. */
function placeOf(bytes: Buffer, mark: string): readonly [start: number, end: number] {
  const end = bytes.indexOf(mark) + mark.length;
  const columns = Math.max(...["created", "updated"].map((kind) => bytes.lastIndexOf(`${kind}things`, end)));
  return [columns - 12, end];
}

/**
 * Flips bits in the rows of data files and checks that each file opens, serves only correct objects and reports the
 * damaged ones. Returns the number of completed runs.
 */
export async function checkFlips(numRuns: number): Promise<number> {
  let passed = 0;
  const steps = fc.array(fc.record({ name: fc.nat(5), kind: fc.constantFrom("write", "write", "delete") }), {
    minLength: 5,
    maxLength: 40,
  });
  const property = fc.asyncProperty(steps, flips, fc.constantFrom(3, 1000), async (all, damage, historyMax) => {
    using file = new TestFile();
    const store = await file.open({ historyMax });
    const marks: string[] = [];
    const keyed = new Map<string, StoreKey>();
    for (const [index, { name, kind }] of all.entries()) {
      const where = key(`name-${name}`);
      keyed.set(where.name, where);
      const { revision } = store.get(where) ?? {};
      const mark = `<mark ${index}>`;
      if (kind === "write") marks.push(mark);
      if (kind === "write" && revision === undefined) await store.create(where, thing(where.name, mark));
      else if (kind === "write") await store.update(where, thing(where.name, mark), revision ?? 0);
      else if (revision !== undefined) await store.delete(where, revision);
    }
    const truth = new Map([...keyed].map(([name, where]) => [name, store.get(where)?.json]));
    const { revision } = store;
    store.close();
    const bytes = readFileSync(file.path);
    const places = marks.filter((mark) => bytes.includes(mark)).map((mark) => placeOf(bytes, mark));
    for (const { row, byte, bit } of damage) {
      const [start = 0, end = 0] = places[Math.floor(row * places.length)] ?? [];
      const at = start + Math.floor(byte * (end - start));
      if (end > 0) bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << bit), at);
    }
    writeFileSync(file.path, bytes);
    const reopened = await file.open({ historyMax });
    const unknown = reopened.quarantine.some((row) => row.state === "lost" && row.key === undefined);
    for (const [name, json] of truth) {
      const served = reopened.get(key(name))?.json;
      const isTrue = served === json;
      const isNamed = reopened.quarantined(key(name)) !== undefined || unknown;
      // An older or a deleted version must never be served.
      expect([name, served === undefined || isTrue, isTrue || isNamed]).toEqual([name, true, true]);
    }
    expect(reopened.revision).toBe(revision);
    // The byte ranges of adjacent rows overlap, so one flip may damage two rows.
    const missing = [...truth].filter(([name, json]) => reopened.get(key(name))?.json !== json);
    expect(missing.length).toBeLessThanOrEqual(2 * damage.length);
    const next = mustWrite(await reopened.create(key("new"), thing("new")));
    expect(next.revision).toBe(revision + 1);
    reopened.close();
    const again = await file.open({ historyMax });
    expect([again.quarantine, again.get(key("new"))?.json]).toEqual([reopened.quarantine, next.json]);
    again.close();
    passed++;
  });
  await fc.assert(property, { numRuns });
  return passed;
}
