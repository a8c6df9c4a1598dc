import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryStore } from "../store/index.ts";
import type { ApiObject } from "../store/index.ts";
import { HeldValues } from "./held-values.ts";
import type { ValuesOf } from "./held-values.ts";
import { UnderWay } from "./under-way.ts";

const VALUES = ["a", "b", "c"];
const RESOURCE = "things";

// The test makes them with this field.
const valuesOf: ValuesOf = (object) => object["values"] as readonly string[];

function thing(name: string, values: readonly string[]): ApiObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: `uid of ${name}`, resourceVersion: "" }, values };
}

/** Writes a thing with these values; without any, it goes. */
async function put(store: MemoryStore, name: string, values: readonly string[]): Promise<void> {
  const key = { resource: RESOURCE, namespace: "", name };
  const there = store.get(key);
  if (there === undefined) await store.create(key, thing(name, values));
  else if (values.length === 0) await store.delete(key, there.revision);
  else await store.update(key, thing(name, values), there.revision);
}

test("a value is held exactly while another object has it, whatever was written, and however much at a time", async () => {
  const values = fc.uniqueArray(fc.constantFrom(...VALUES));
  const write = fc.record({ name: fc.constantFrom("x", "y", "z"), values, looks: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
      // So small a backlog that the index falls behind and starts over.
      const store = new MemoryStore({ backlogMax: 3 });
      const held = new HeldValues(store, new UnderWay());
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

test("what an object under way asks for is held until its write has come to an end", async () => {
  const underWay = new UnderWay();
  const held = new HeldValues(new MemoryStore(), underWay);
  const coming = thing("x", ["a"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const written = underWay.during(RESOURCE, coming, () => promise);
  expect(held.of(RESOURCE, valuesOf)("a", "uid of y")).toBe(true);
  expect(held.of(RESOURCE, valuesOf)("a", "uid of x")).toBe(false);
  resolve();
  await written;
  expect(held.of(RESOURCE, valuesOf)("a", "uid of y")).toBe(false);
});
