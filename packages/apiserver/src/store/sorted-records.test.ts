import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoredRecord, StoreKey } from "./store.ts";
import { SortedRecords } from "./sorted-records.ts";

/** Enough keys for several runs. */
const KEYS: readonly StoreKey[] = ["a", "a-b", "b"].flatMap((namespace) =>
  Array.from({ length: 700 }, (_, index) => ({ resource: "things", namespace, name: `n${(index * 7919) % 700}` })),
);

function recordOf(key: StoreKey, revision: number): StoredRecord {
  const { name, namespace } = key;
  const metadata = { name, namespace, uid: "", resourceVersion: String(revision) };
  return { key, revision, json: "", object: { apiVersion: "v1", kind: "Thing", metadata } };
}

function idOf({ namespace, name }: StoreKey): string {
  return `${namespace}/${name}`;
}

/** Returns the expected list: the records of the model sorted by id. */
function expected(model: ReadonlyMap<string, StoredRecord>, namespace?: string): readonly StoredRecord[] {
  return [...model.values()]
    .filter(({ key }) => key.namespace === (namespace ?? key.namespace))
    .toSorted((a, b) => (idOf(a.key) < idOf(b.key) ? -1 : 1));
}

const step = fc.record({
  key: fc.nat({ max: KEYS.length - 1 }),
  does: fc.constantFrom("put", "put", "remove", "copy"),
});

test("lists stay sorted after any puts and removes, and earlier copies and lists do not change", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 0, max: KEYS.length }), (steps, filled) => {
      let records = new SortedRecords();
      const model = new Map<string, StoredRecord>();
      for (const key of KEYS.slice(0, filled)) {
        records.put(recordOf(key, 0));
        model.set(idOf(key), recordOf(key, 0));
      }
      const earlier: (readonly [seen: readonly StoredRecord[], now: () => readonly StoredRecord[]])[] = [];
      for (const [revision, { key: at, does }] of steps.entries()) {
        const key = KEYS[at] ?? { resource: "", namespace: "", name: "" };
        if (does === "copy") {
          const old = records;
          records = old.copy();
          earlier.push([expected(model), () => old.list()], [expected(model), constantly(records.list())]);
        } else if (does === "put") {
          records.put(recordOf(key, revision + 1));
          model.set(idOf(key), recordOf(key, revision + 1));
        } else {
          records.remove(key);
          model.delete(idOf(key));
        }
        expect(records.get(key)).toEqual(model.get(idOf(key)));
      }
      expect(records.list()).toEqual(expected(model));
      expect(records.size).toBe(model.size);
      for (const namespace of ["a", "a-b", "b", "c"])
        expect(records.list(namespace)).toEqual(expected(model, namespace));
      for (const [seen, now] of earlier) expect(now()).toEqual(seen);
    }),
    { numRuns: 30 },
  );
});

function constantly<T>(value: T): () => T {
  return () => value;
}
