import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPositions, formatRef, parseAction, parsePositions, parseRef } from "./index.ts";

const text = fc.string({ unit: "grapheme", minLength: 1 });

test("a reference reads back as it was written, whatever its names hold, and holds no comma or line", () => {
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

test.for(["", "v1", "v1/Pod/a", "v1/Pod/a/b/c", "v1/Pod/a/%", "//a/b"])("%j names no object", (name) => {
  expect(parseRef(name)).toBeUndefined();
});

test("positions that are missing are the beginning", () => {
  expect(parsePositions(formatPositions(["a.1", "", "c"]), 3)).toEqual(["a.1", "", "c"]);
  expect(parsePositions("a.1", 2)).toEqual(["a.1", ""]);
});

describe("an action from outside", () => {
  const object = { apiVersion: "v1", kind: "Pod", namespace: "a", name: "b" };
  test.for([
    { kind: "edit", object, base: "kind: Pod", yaml: "kind: Pod" },
    { kind: "delete", object, uid: "u" },
    { kind: "declare", resource: { plural: "clusters", id: "1" }, base: "", yaml: "spec: {}" },
    { kind: "retire", resource: { plural: "clusters", id: "1" } },
    { kind: "suspend", set: "shop" },
    { kind: "resume", set: "shop" },
    { kind: "rollback", set: "shop", generation: 3 },
  ])("is taken as it is: $kind", (action) => {
    expect(parseAction(action)).toEqual(action);
  });

  test.for([
    [null, "an action is an object"],
    [{ kind: "format" }, "kind must be"],
    [{ kind: "delete", object: { ...object, name: "" } }, "object.name must be a text"],
    [{ kind: "delete", object: { ...object, namespace: 3 } }, "object.namespace must be a text"],
    [{ kind: "delete", object }, "uid must be a text"],
    [{ kind: "edit", object, yaml: "" }, "base must be a text"],
    [{ kind: "edit", object, base: "" }, "yaml must be a text"],
    [{ kind: "retire", resource: { plural: "clusters" } }, "resource.id must be a text"],
    [{ kind: "declare", resource: 3 }, "resource must name a resource"],
    [{ kind: "rollback", set: "shop", generation: "3" }, "generation must be a whole number"],
    [{ kind: "suspend" }, "set must be a name"],
  ] as const)("is refused with the field that is wrong: %j", ([action, words]) => {
    expect(parseAction(action)).toContain(words);
  });
});
