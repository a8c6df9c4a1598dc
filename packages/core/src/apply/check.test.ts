import { expect, test } from "vitest";
import { deepFreeze } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { checkType } from "./check-type.ts";
import { objectType } from "./value-type.ts";

const type = objectType({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        count: { type: "integer" },
        names: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      },
    },
  },
});

function isTyped(value: JsonValue, duplicates: "allowed" | "refused"): boolean {
  try {
    checkType(type, value, duplicates);
    return true;
  } catch {
    return false;
  }
}

test("an invalid stored field is reported on every check, in any object", () => {
  const spec = deepFreeze({ count: "many" });
  for (const name of ["a", "b"]) expect(isTyped({ metadata: { name }, spec }, "allowed")).toBe(false);
  const right = deepFreeze({ count: 1 });
  for (const name of ["a", "b"]) expect(isTyped({ metadata: { name }, spec: right }, "allowed")).toBe(true);
  expect(isTyped({ metadata: { name: 1 }, spec: right }, "allowed")).toBe(false);
});

test("duplicates allowed in a stored object are rejected in an applied one", () => {
  const spec = deepFreeze({ names: ["a", "a"] });
  expect(isTyped({ spec }, "allowed")).toBe(true);
  expect(isTyped({ spec }, "refused")).toBe(false);
});
