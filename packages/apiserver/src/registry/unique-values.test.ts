import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryStore } from "../store/index.ts";
import type { ApiObject } from "../store/index.ts";
import { UniqueValues } from "./unique-values.ts";
import type { UniqueValuesOf } from "../resource/strategy.ts";
import { PendingWrites } from "./pending-writes.ts";

const VALUES = ["a", "b", "c"];
const RESOURCE = "things";

// Test objects always have this field.
const valuesOf: UniqueValuesOf = (object) => object["values"] as readonly string[];

function thing(name: string, values: readonly string[]): ApiObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: `uid of ${name}`, resourceVersion: "" }, values };
}

/** Writes an object with these values, or deletes it if there are none. */
async function put(store: MemoryStore, name: string, values: readonly string[]): Promise<void> {
  const key = { resource: RESOURCE, namespace: "", name };
  const there = store.get(key);
  if (there === undefined) await store.create(key, thing(name, values));
  else if (values.length === 0) await store.delete(key, there.revision);
  else await store.update(key, thing(name, values), there.revision);
}

test("a value is taken exactly while another object has it, for any sequence and batch size of writes", async () => {
  const values = fc.uniqueArray(fc.constantFrom(...VALUES));
  const write = fc.record({ name: fc.constantFrom("x", "y", "z"), values, looks: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
      // The small backlog forces the index to rebuild.
      const store = new MemoryStore({ backlogMax: 3 });
      const held = new UniqueValues(store, new PendingWrites());
      for (const { name, values: given, looks } of writes) {
        await put(store, name, given);
        if (!looks) continue;
        const isHeld = held.of(RESOURCE, valuesOf);
        const listing = store.list({ resource: RESOURCE });
        const objects = listing.kind === "listing" ? listing.records.map(({ object }) => object) : [];
        for (const value of VALUES) {
          const others = objects.filter((object) => object.metadata.name !== name && valuesOf(object).includes(value));
          expect(isHeld(value, `uid of ${name}`)).toBe(others.length > 0);
        }
      }
    }),
  );
});

test("the values of a pending write are taken until the write settles", async () => {
  const pending = new PendingWrites();
  const held = new UniqueValues(new MemoryStore(), pending);
  const coming = thing("x", ["a"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const written = pending.track(RESOURCE, coming, () => promise);
  expect(held.of(RESOURCE, valuesOf)("a", "uid of y")).toBe(true);
  expect(held.of(RESOURCE, valuesOf)("a", "uid of x")).toBe(false);
  resolve();
  await written;
  expect(held.of(RESOURCE, valuesOf)("a", "uid of y")).toBe(false);
});
