import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deepEqual, deepFreeze, isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { JsonPatchError } from "./json-patch-error.ts";
import { applyJsonPatch } from "./json-patch.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";
import { formatJsonPointer } from "./json-pointer.ts";

/** Applies to a frozen document, so that mutations throw. */
function apply(document: JsonValue, ...operations: JsonPatchOperation[]): JsonValue {
  return applyJsonPatch(deepFreeze(document), deepFreeze(operations));
}

/** Returns the error thrown by apply. */
function failure(document: JsonValue, ...operations: JsonPatchOperation[]): JsonPatchError {
  try {
    apply(document, ...operations);
  } catch (error) {
    if (error instanceof JsonPatchError) return error;
    throw error;
  }
  throw new Error("the patch was applied");
}

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue[]>(null, true, 1, 2n ** 70n, "x"),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b/c", "d~e", "0", "-", "", "__proto__", "constructor"), tie("json"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/** Returns the tokens of every location in a document, the root first. */
function places(value: JsonValue): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  const below = Object.entries(value).flatMap(([key, member]) => places(member).map((tokens) => [key].concat(tokens)));
  return [[], ...below];
}

/** A document and the pointer of a location below its root. */
const placed = fc
  .tuple(json, fc.nat())
  .filter(([document]) => places(document).length > 1)
  .map(([document, choice]) => {
    const below = places(document).slice(1);
    return { document: deepFreeze(document), path: formatJsonPointer(below[choice % below.length] ?? []) };
  });

test("adding, testing and removing a value restores the document", () => {
  fc.assert(
    fc.property(placed, json, ({ document, path }, value) => {
      const end = path.slice(0, path.lastIndexOf("/"));
      const parent = end === "" ? document : valueAt(document, end);
      const spot = `${end}/${Array.isArray(parent) ? "0" : "new"}`;
      const result = apply(
        document,
        { op: "add", path: spot, value },
        { op: "test", path: spot, value },
        { op: "remove", path: spot },
      );
      expect(deepEqual(result, document)).toBe(true);
    }),
  );
});

/** Returns the value at a path, with a copy to the root. */
function valueAt(document: JsonValue, path: string): JsonValue {
  return applyJsonPatch(document, [{ op: "copy", from: path, path: "" }]);
}

test("removing and adding a value restores the document", () => {
  fc.assert(
    fc.property(placed, ({ document, path }) => {
      const value = valueAt(document, path);
      expect(deepEqual(apply(document, { op: "remove", path }, { op: "add", path, value }), document)).toBe(true);
    }),
  );
});

test("a replacement is undone by replacing with the old value", () => {
  fc.assert(
    fc.property(placed, json, ({ document, path }, value) => {
      const changed = apply(document, { op: "replace", path, value });
      expect(deepEqual(valueAt(changed, path), value)).toBe(true);
      expect(deepEqual(apply(changed, { op: "replace", path, value: valueAt(document, path) }), document)).toBe(true);
    }),
  );
});

test("a move is undone by moving back", () => {
  fc.assert(
    fc.property(placed, ({ document, path }) => {
      const wrapped = { document, free: {} };
      const there = { op: "move", from: `/document${path}`, path: "/free/moved" } as const;
      const back = { op: "move", from: "/free/moved", path: `/document${path}` } as const;
      expect(deepEqual(apply(wrapped, there, back), wrapped)).toBe(true);
    }),
  );
});

test("random operations either apply or fail with a JsonPatchError, without prototype pollution", () => {
  const path = fc
    .array(fc.constantFrom("a", "0", "1", "-", "__proto__", "constructor", "prototype", "polluted"), { maxLength: 4 })
    .map(formatJsonPointer);
  const operation: fc.Arbitrary<JsonPatchOperation> = fc.oneof(
    fc.record({ op: fc.constantFrom("add", "replace", "test"), path, value: json }),
    fc.record({ op: fc.constant("remove"), path }),
    fc.record({ op: fc.constantFrom("move", "copy"), from: path, path }),
  );
  fc.assert(
    fc.property(json, fc.array(operation, { maxLength: 6 }), (document, operations) => {
      const frozen = deepFreeze(document);
      const outcome = outcomeOf(() => applyJsonPatch(frozen, deepFreeze(operations)));
      expect(outcome).toSatisfy((it: unknown) => it === "applied" || it instanceof JsonPatchError);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

function outcomeOf(act: () => unknown): unknown {
  try {
    act();
    return "applied";
  } catch (error) {
    return error;
  }
}

test.each<[string, JsonValue, JsonPatchOperation[], JsonValue]>([
  ["adds a member", { a: 1 }, [{ op: "add", path: "/b", value: 2 }], { a: 1, b: 2 }],
  ["replaces a member that is added again", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
  ["inserts before an element", { l: [1, 3] }, [{ op: "add", path: "/l/1", value: 2 }], { l: [1, 2, 3] }],
  ["inserts at the end by index", [1], [{ op: "add", path: "/1", value: 2 }], [1, 2]],
  ["appends with -", { l: [1] }, [{ op: "add", path: "/l/-", value: [2] }], { l: [1, [2]] }],
  ["takes - for a key of an object", {}, [{ op: "add", path: "/-", value: 1 }], { "-": 1 }],
  ["adds to an array in an array", [[1]], [{ op: "add", path: "/0/0", value: 0 }], [[0, 1]]],
  ["replaces the whole document by adding it", { a: 1 }, [{ op: "add", path: "", value: [] }], []],
  ["removes a member", { a: 1, b: 2 }, [{ op: "remove", path: "/b" }], { a: 1 }],
  ["removes an element", [1, 2, 3], [{ op: "remove", path: "/1" }], [1, 3]],
  ["removes a null", { a: null }, [{ op: "remove", path: "/a" }], {}],
  ["replaces a value", { a: { b: 1 } }, [{ op: "replace", path: "/a/b", value: null }], { a: { b: null } }],
  ["replaces the whole document", 1, [{ op: "replace", path: "", value: 2 }], 2],
  ["moves a member", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
  [
    "moves an element, counting after its removal",
    [1, 2, 3, 4],
    [{ op: "move", from: "/1", path: "/3" }],
    [1, 3, 4, 2],
  ],
  ["moves to the end with -", [1, 2, 3], [{ op: "move", from: "/0", path: "/-" }], [2, 3, 1]],
  ["moves a value onto itself", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
  ["moves up, over its own parent", { a: { b: 1 } }, [{ op: "move", from: "/a/b", path: "/a" }], { a: 1 }],
  ["moves to a place of which its name is a part", { a: 1 }, [{ op: "move", from: "/a", path: "/ab" }], { ab: 1 }],
  ["copies a member", { a: [1] }, [{ op: "copy", from: "/a", path: "/b" }], { a: [1], b: [1] }],
  ["copies an element", [1, 2], [{ op: "copy", from: "/0", path: "/2" }], [1, 2, 1]],
  ["unescapes keys", { "a/b": 1, "m~n": 2 }, [{ op: "move", from: "/a~1b", path: "/m~0n" }], { "m~n": 1 }],
  ["distinguishes escapes", { "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "~1": 10 }],
  ["finds the empty key", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
  [
    "tests regardless of key order",
    { a: { b: 1, c: 2 } },
    [{ op: "test", path: "/a", value: { c: 2, b: 1 } }],
    { a: { b: 1, c: 2 } },
  ],
  ["tests numbers by value", { a: 5 }, [{ op: "test", path: "/a", value: 5n }], { a: 5 }],
  ["tests for null", { a: null }, [{ op: "test", path: "/a", value: null }], { a: null }],
  ["does nothing without operations", { a: 1 }, [], { a: 1 }],
])("a patch %s", (_title, document, operations, result) => {
  expect(apply(document, ...operations)).toEqual(result);
});

test.each<[JsonValue, JsonPatchOperation, string, string]>([
  [{ a: 1 }, { op: "test", path: "/a", value: 2 }, "test-failed", "test '/a': the value differs"],
  [{ a: "1" }, { op: "test", path: "/a", value: 1 }, "test-failed", "test '/a': the value differs"],
  [{ a: [1, 2] }, { op: "test", path: "/a", value: [2, 1] }, "test-failed", "test '/a': the value differs"],
  [{}, { op: "test", path: "/a", value: null }, "missing", "test '/a': 'a' does not exist"],
  [{}, { op: "remove", path: "/a" }, "missing", "remove '/a': 'a' does not exist"],
  [{}, { op: "replace", path: "/a", value: 1 }, "missing", "replace '/a': 'a' does not exist"],
  [{}, { op: "add", path: "/a/b", value: 1 }, "missing", "add '/a/b': 'a' does not exist"],
  [{ a: "text" }, { op: "add", path: "/a/b", value: 1 }, "missing", "add '/a/b': 'b' does not exist"],
  [{ a: "text" }, { op: "remove", path: "/a/length" }, "missing", "remove '/a/length': 'length' does not exist"],
  [{ a: null }, { op: "add", path: "/a/b", value: 1 }, "missing", "add '/a/b': 'b' does not exist"],
  [[1], { op: "add", path: "/2", value: 1 }, "missing", "add '/2': index 2 is out of range of an array of 1"],
  [[1], { op: "replace", path: "/1", value: 1 }, "missing", "replace '/1': index 1 is out of range of an array of 1"],
  [[1], { op: "remove", path: "/-" }, "missing", "remove '/-': '-' is the element after the last"],
  [[1], { op: "add", path: "/-1", value: 1 }, "invalid", "add '/-1': '-1' is not an array index"],
  [[1], { op: "add", path: "/01", value: 1 }, "invalid", "add '/01': '01' is not an array index"],
  [[1], { op: "add", path: "/1e0", value: 1 }, "invalid", "add '/1e0': '1e0' is not an array index"],
  [[1], { op: "replace", path: "/length", value: 1 }, "invalid", "replace '/length': 'length' is not an array index"],
  [{ a: 1 }, { op: "remove", path: "" }, "invalid", "remove '': the whole document cannot be removed"],
  [{ a: {} }, { op: "move", from: "/a", path: "/a/b" }, "invalid", "move '/a/b': '/a' cannot move into itself"],
  [{ a: {} }, { op: "move", from: "", path: "/a" }, "invalid", "move '/a': '' cannot move into itself"],
  [{}, { op: "copy", from: "/x", path: "/a" }, "missing", "copy '/x': 'x' does not exist"],
  [{}, { op: "remove", path: "/toString" }, "missing", "remove '/toString': 'toString' does not exist"],
  [{}, { op: "add", path: "/__proto__/polluted", value: 1 }, "missing", "'__proto__' does not exist"],
  [{}, { op: "add", path: "x", value: 1 }, "invalid", "a JSON pointer must be empty or begin with '/'"],
])("on %j, %j fails", (document, operation, kind, reason) => {
  const error = failure(document, operation);
  expect(error).toMatchObject({ kind, index: 0, name: "JsonPatchError" });
  expect(error.message).toContain("JSON patch: operation 0: ");
  expect(error.message).toContain(reason);
});

test("an error names the operation and the path, and not the values", () => {
  const error = failure(
    { token: "hunter2" },
    { op: "add", path: "/a", value: 1 },
    { op: "test", path: "/token", value: "guess" },
  );
  expect(error).toMatchObject({ index: 1, path: "/token", kind: "test-failed" });
  expect(error.message).not.toMatch(/hunter2|guess/);
});

test("a patch whose last operation fails changes nothing", () => {
  const document = { list: [1] };
  expect(() =>
    applyJsonPatch(document, [
      { op: "remove", path: "/list/0" },
      { op: "remove", path: "/x" },
    ]),
  ).toThrow(JsonPatchError);
  expect(document).toEqual({ list: [1] });
});

test("unchanged parts are shared", () => {
  const document = { spec: { a: 1 }, status: { b: [1] } };
  const result = apply(document, { op: "replace", path: "/spec/a", value: 2 });
  expect(isJsonObject(result) && result["status"]).toBe(document.status);
});

test("a key named __proto__ is patched as data", () => {
  const result = apply(
    { ["__proto__"]: { a: 1 } },
    { op: "add", path: "/__proto__/polluted", value: 1 },
    { op: "copy", from: "/__proto__", path: "/constructor" },
    { op: "add", path: "/x", value: {} },
    { op: "add", path: "/x/__proto__", value: { polluted: 1 } },
    { op: "remove", path: "/constructor" },
  );
  expect(JSON.stringify(result)).toBe('{"__proto__":{"a":1,"polluted":1},"x":{"__proto__":{"polluted":1}}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("the total size of copies is limited", () => {
  const bomb = Array.from({ length: 120 }, (_, n): JsonPatchOperation => {
    return { op: "copy", from: "", path: n % 2 === 0 ? "/a" : "/b" };
  });
  const error = failure({}, ...bomb);
  expect(error.kind).toBe("invalid");
  expect(error.message).toContain("the copies of a patch exceed 3145728 bytes");
});
