import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { applyMergePatch } from "../patch/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";
import { applyStrategicPatch } from "./apply-strategic-patch.ts";

const text: StructuralSchema = { type: "string" };
const SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    name: text,
    labels: { type: "object", additionalProperties: text },
    plain: { type: "array", items: text },
    set: { type: "array", items: text, "x-kubernetes-patch-strategy": "merge" },
    items: {
      type: "array",
      "x-kubernetes-patch-strategy": "merge,retainKeys",
      "x-kubernetes-patch-merge-key": "id",
      items: { type: "object", properties: { id: text, value: text, other: text } },
    },
    keyless: { type: "array", items: { type: "object" }, "x-kubernetes-patch-strategy": "merge" },
    whole: { type: "object", properties: { a: text, b: text }, "x-kubernetes-patch-strategy": "replace" },
  },
};

const TARGET: JsonObject = {
  name: "x",
  labels: { a: "1", b: "2" },
  plain: ["p", "q"],
  set: ["s", "t"],
  items: [
    { id: "1", value: "a", other: "o" },
    { id: "2", value: "b" },
  ],
  whole: { a: "1" },
};

function patched(patch: JsonObject): JsonObject {
  return applyStrategicPatch(SCHEMA, TARGET, patch);
}

describe("a strategic merge patch", () => {
  test("is a merge patch as long as no list is merged", () => {
    const word = fc.constantFrom("a", "b", null);
    const patch = fc.record(
      {
        name: word,
        labels: fc.dictionary(fc.constantFrom("a", "b", "c"), word),
        plain: fc.array(fc.constantFrom("a", "b")),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(patch, (given) => {
        expect(patched(given)).toEqual(applyMergePatch(TARGET, given));
      }),
    );
  });

  test.each<readonly [string, JsonObject, JsonObject]>([
    [
      "merges items by their key",
      { items: [{ id: "1", value: "z" }] },
      {
        items: [
          { id: "1", value: "z", other: "o" },
          { id: "2", value: "b" },
        ],
      },
    ],
    [
      "adds items",
      { items: [{ id: "3" }] },
      { items: [{ id: "3" }, { id: "1", value: "a", other: "o" }, { id: "2", value: "b" }] },
    ],
    ["deletes items", { items: [{ id: "1", $patch: "delete" }] }, { items: [{ id: "2", value: "b" }] }],
    ["replaces items", { items: [{ $patch: "replace" }, { id: "9" }] }, { items: [{ id: "9" }] }],
    [
      "keeps only named keys",
      { items: [{ $retainKeys: ["id", "value"], id: "1", value: "z" }] },
      {
        items: [
          { id: "1", value: "z" },
          { id: "2", value: "b" },
        ],
      },
    ],
    ["merges scalars as a set", { set: ["u", "s"] }, { set: ["u", "s", "t"] }],
    ["deletes scalars", { "$deleteFromPrimitiveList/set": ["s"] }, { set: ["t"] }],
    ["ignores a deletion of scalars from a value that is not a list", { "$deleteFromPrimitiveList/name": ["x"] }, {}],
    ["deletes no scalars where none are listed", { "$deleteFromPrimitiveList/set": "s" }, {}],
    ["replaces an object", { labels: { $patch: "replace", c: "3" } }, { labels: { c: "3" } }],
    ["empties an object", { labels: { $patch: "delete" } }, { labels: {} }],
    ["replaces a field with the replace strategy", { whole: { b: "2" } }, { whole: { b: "2" } }],
    [
      "drops nulls and orders from what is new",
      { keyless: [{ a: null, b: "1" }, { $patch: "delete" }] },
      { keyless: [{ b: "1" }] },
    ],
    [
      "orders items",
      { "$setElementOrder/items": [{ id: "2" }, { id: "1" }] },
      {
        items: [
          { id: "2", value: "b" },
          { id: "1", value: "a", other: "o" },
        ],
      },
    ],
    ["puts items where they are wanted", { "$setElementOrder/set": ["t", "u"], set: ["u"] }, { set: ["s", "t", "u"] }],
  ])("%s", (_what, patch, change) => {
    expect(patched(patch)).toEqual({ ...TARGET, ...change });
  });

  test.each<readonly [string, JsonObject, string]>([
    ["an unknown directive", { labels: { $patch: "jump" } }, "unknown patch type: jump in map: map[$patch:jump]"],
    [
      "an item without its key",
      { items: [{ value: "x" }] },
      "map: map[value:x] does not contain declared merge key: id",
    ],
    [
      "keys to retain that do not cover the patch",
      { items: [{ $retainKeys: ["id"], id: "1", value: "z" }] },
      "invalid patch format of retainKeys",
    ],
    ["a directive without a field", { $deleteFromPrimitiveList: ["s"] }, "invalid patch format of primitive list"],
    [
      "an item to be merged",
      { items: [{ id: "1", $patch: "merge" }] },
      "merging lists cannot yet be specified in the patch",
    ],
    [
      "items in another order than it sets",
      { "$setElementOrder/set": ["u", "v"], set: ["v", "u"] },
      "The order in patch list:\n[v u]\n doesn't match $setElementOrder list:\n[u v]\n",
    ],
    ["lists of lists", { set: [["x"]] }, "lists of lists are not supported"],
    [
      "an order that is not a list",
      { "$setElementOrder/set": "x" },
      "expected a []interface {}, but received a string",
    ],
  ])("with %s is rejected", (_what, patch, message) => {
    expect(() => patched(patch)).toThrow(StrategicPatchError);
    expect(() => patched(patch)).toThrow(message);
  });

  test("may carry orders beside the keys that it retains", () => {
    const patch = { $retainKeys: ["name", "set"], name: "y", "$deleteFromPrimitiveList/set": ["s"] };
    expect(patched(patch)).toEqual({ name: "y", set: ["t"] });
    const ordered = { $retainKeys: ["set"], "$setElementOrder/set": ["t", "s"] };
    expect(patched(ordered)).toEqual({ set: ["t", "s"] });
  });

  test("merges nothing into nothing", () => {
    expect(applyStrategicPatch(SCHEMA, { set: [], keyless: [] }, { set: [], keyless: [] })).toEqual({
      set: [],
      keyless: [],
    });
  });

  test("leaves the object that it is applied to as it was", () => {
    const before = structuredClone(TARGET);
    patched({ items: [{ id: "1", $patch: "delete" }], set: ["z"], labels: { a: null } });
    expect(TARGET).toEqual(before);
  });
});
