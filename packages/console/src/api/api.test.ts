import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPositions, formatRef, parseAction, parsePositions, parseRef } from "./index.ts";

const text = fc.string({ unit: "grapheme", minLength: 1 });

test("a formatted reference parses to the same reference and contains no comma or newline", () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.option(
        text.filter((name) => name !== "-"),
        { nil: undefined },
      ),
      text,
      (apiVersion, kind, namespace, name) => {
        const ref = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
        expect(parseRef(formatRef(ref))).toEqual(ref);
        expect(formatRef(ref)).not.toMatch(/[\n,]/u);
      },
    ),
  );
});

test.for(["", "v1", "v1/Pod/a", "v1/Pod/a/b/c", "v1/Pod/a/%", "//a/b"])("%j is not a reference", (name) => {
  expect(parseRef(name)).toBeUndefined();
});

test("missing positions are empty", () => {
  expect(parsePositions(formatPositions(["a.1", "", "c"]), 3)).toEqual(["a.1", "", "c"]);
  expect(parsePositions("a.1", 2)).toEqual(["a.1", ""]);
});

describe("parseAction", () => {
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: "b" };
  test.for([
    { kind: "edit", object, base: "kind: Pod", yaml: "kind: Pod" },
    { kind: "delete", object, uid: "u" },
    { kind: "edit-resource", resource: { plural: "clusters", id: "1" }, base: "", yaml: "spec: {}" },
    { kind: "delete-resource", resource: { plural: "clusters", id: "1" } },
    { kind: "suspend", set: "shop" },
    { kind: "resume", set: "shop" },
    { kind: "rollback", set: "shop", generation: 3 },
  ])("accepts $kind", (action) => {
    expect(parseAction(action)).toEqual(action);
  });

  test.for([
    [null, "an action must be an object"],
    [{ kind: "format" }, "kind must be"],
    [{ kind: "delete", object: { ...object, name: "" } }, "object.name must be a non-empty string"],
    [{ kind: "delete", object: { ...object, namespace: 3 } }, "object.namespace must be a non-empty string"],
    [{ kind: "delete", object }, "uid must be a non-empty string"],
    [{ kind: "edit", object, yaml: "" }, "base must be a string"],
    [{ kind: "edit", object, base: "" }, "yaml must be a string"],
    [{ kind: "delete-resource", resource: { plural: "clusters" } }, "resource.id must be a non-empty string"],
    [{ kind: "edit-resource", resource: 3 }, "resource must be an object"],
    [{ kind: "rollback", set: "shop", generation: "3" }, "generation must be an integer"],
    [{ kind: "suspend" }, "set must be a non-empty string"],
  ] as const)("names the invalid field: %j", ([action, message]) => {
    expect(parseAction(action)).toContain(message);
  });
});
