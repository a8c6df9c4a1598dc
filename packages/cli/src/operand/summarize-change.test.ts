import type { JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import { summarizeChange } from "./summarize-change.ts";

const image = (name: string, replicas = 1): JsonObject => ({
  spec: { replicas, template: { spec: { containers: [{ name: "web", image: name }] } } },
});

test.each<[JsonObject, JsonObject, string]>([
  [image("example.com/shop:1.8"), image("example.com/shop:1.9"), "image 1.8 → 1.9"],
  [image("example.com:5000/shop"), image("example.com:5000/stop"), "image 5000/shop → 5000/stop"],
  [image("a:1"), image("b:1"), "image a:1 → b:1"],
  [image("a:1", 1), image("a:1", 3), "replicas 1 → 3"],
  [image("a:1", 1), image("a:2", 3), "replicas 1 → 3, image 1 → 2"],
  [{ data: {} }, { data: { a: "1" } }, "a added"],
  [{ data: { a: "1" } }, { data: {} }, "a removed"],
  [{ data: { a: "x".repeat(50) } }, { data: { a: "y" } }, "a changed"],
  [{ data: { a: "*** (before)" } }, { data: { a: "*** (after)" } }, "a changed"],
  [{ list: [1, 2] }, { list: [1, 2, 3] }, "list changed"],
  [{ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, "3 fields"],
])("from %j to %j: %s", (before, after, note) => {
  expect(summarizeChange(before, after)).toBe(note);
});
