import { describe, expect, test } from "vitest";
import type { StructuralSchema } from "../schema/index.ts";
import type { FieldPath } from "./path-element.ts";
import { FieldSet } from "./field-set.ts";
import { reconcileFieldSetWithSchema } from "./reconcile-schema.ts";
import { objectType } from "./value-type.ts";

const text: StructuralSchema = { type: "string" };
const whole: StructuralSchema = {
  type: "object",
  additionalProperties: text,
  "x-kubernetes-map-type": "atomic",
};
const SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    whole,
    list: { type: "array", items: text },
    open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic" },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
      items: { type: "object", properties: { port: { type: "integer" }, whole } },
    },
  },
};
const PORT = 'k:{"port":80}';

function watched(...paths: readonly FieldPath[]): readonly string[] {
  return [...reconcileFieldSetWithSchema(FieldSet.of(...paths), objectType(SCHEMA)).paths()].map((path) =>
    path.join(" "),
  );
}

describe("a manager of parts", () => {
  test.each<readonly [string, readonly FieldPath[], readonly string[]]>([
    ["of an object that is now one", [["f:whole", "f:x"]], ["f:whole"]],
    ["of it and of the object itself", [["f:whole"], ["f:whole", "f:x"]], ["f:whole"]],
    ["of a list that is now one", [["f:list", 'v:"x"']], ["f:list"]],
    ["of something inside of an item", [["f:ports", PORT, "f:whole", "f:x"]], [`f:ports ${PORT} f:whole`]],
  ])("%s owns the whole", (_name, paths, expected) => {
    expect(watched(...paths)).toEqual(expected);
  });

  test.each<readonly [string, readonly FieldPath[]]>([
    ["the whole already", [["f:whole"], ["f:list"]]],
    ["parts of what takes any field", [["f:open", "f:x"]]],
    ["a removed field", [["f:gone", "f:x"]]],
    [
      "items one by one",
      [
        ["f:ports", PORT],
        ["f:ports", PORT, "f:port"],
      ],
    ],
  ])("keeps %s", (_name, paths) => {
    const set = FieldSet.of(...paths);
    expect(reconcileFieldSetWithSchema(set, objectType(SCHEMA))).toBe(set);
  });
});
