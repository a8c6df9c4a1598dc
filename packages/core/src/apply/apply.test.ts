import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { ManagedObject, kindOf, SCHEMA } from "./apply.fixture.ts";
import { TypeMismatchError } from "./check-type.ts";
import { formatConflicts } from "./conflict.ts";
import type { ApplyResult } from "./apply-configuration.ts";
import { FieldSet } from "./field-set.ts";
import { encodeManagedFields } from "./managed-fields.ts";
import { removeFields } from "./removal.ts";

const word = fc.constantFrom("a", "b", "c");
const words = fc.dictionary(word, word, { maxKeys: 3 });
const port = fc.record({ port: fc.integer({ min: 1, max: 3 }), name: word }, { requiredKeys: ["port"] });
const spec = fc.record(
  {
    text: word,
    number: fc.integer({ min: 0, max: 2 }),
    labels: words,
    whole: words,
    list: fc.array(word, { maxLength: 3 }),
    set: fc.uniqueArray(word),
    ports: fc.uniqueArray(port, { selector: (one) => one.port }),
    open: fc.dictionary(word, fc.oneof(word, words), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>; // made of JSON only

function conflictsOf(applied: ApplyResult): readonly string[] {
  return applied.kind === "conflict" ? formatConflicts(applied.conflicts).split("\n") : [];
}

describe("an applied configuration", () => {
  test("is idempotent, timestamps included", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const history = new ManagedObject();
        history.apply("a", first);
        history.apply("b", second, true);
        const [value, owners] = [history.value, encodeManagedFields(history.owners)];
        history.apply("b", second);
        expect(history.value).toBe(value);
        expect(encodeManagedFields(history.owners)).toEqual(owners);
      }),
    );
  });

  test("of a single applier results in exactly its fields", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const [twice, once] = [new ManagedObject(), new ManagedObject()];
        twice.apply("a", first);
        twice.apply("a", second);
        once.apply("a", second);
        expect(twice.owned).toEqual(once.owned);
        expect(withoutEmpty(twice.spec)).toEqual(withoutEmpty(once.spec));
      }),
    );
  });

  test("that took over a field conflicts with the previous owner", () => {
    const history = new ManagedObject();
    history.apply("a", { text: "1", number: 1 });
    expect(conflictsOf(history.apply("b", { text: "2" }))).toEqual([
      'Apply failed with 1 conflict: conflict with "a": .spec.text',
    ]);
    expect(history.apply("b", { text: "2" }, true).kind).toBe("applied");
    expect(history.owned).toEqual({ a: { "f:number": {} }, b: { "f:text": {} } });
    expect(conflictsOf(history.apply("a", { text: "1", number: 1 }))).toEqual([
      'Apply failed with 1 conflict: conflict with "b": .spec.text',
    ]);
  });

  test("reports every conflicting manager", () => {
    const history = new ManagedObject();
    history.apply("a", { ports: [{ port: 80, name: "x" }] });
    history.update("b", { ports: [{ port: 80, name: "x" }], set: ["s"], text: "1" });
    expect(conflictsOf(history.apply("c", { ports: [{ port: 80, name: "y" }], text: "2" }))).toEqual([
      'Apply failed with 2 conflicts: conflicts with "a":',
      '- .spec.ports[port=80,protocol="TCP"].name',
      'conflicts with "b" using example.dev/v1:',
      "- .spec.text",
    ]);
  });

  test("shares a field with an equal value, which is removed when the last applier drops it", () => {
    const history = new ManagedObject();
    history.apply("a", { text: "1" });
    history.apply("b", { text: "1", number: 1 });
    history.apply("a", {});
    expect(history.spec).toEqual({ text: "1", number: 1 });
    history.apply("b", { number: 1 });
    expect(history.spec).toEqual({ number: 1 });
  });

  test("keeps list items of others and orders its own items as applied", () => {
    const history = new ManagedObject();
    history.apply("a", { set: ["x", "y"] });
    history.update("b", { set: ["p", "x", "q", "y", "r"] });
    history.apply("a", { set: ["y", "x", "z"] });
    expect(history.spec).toEqual({ set: ["p", "q", "y", "r", "x", "z"] });
    history.apply("a", { set: ["z"] });
    expect(history.spec).toEqual({ set: ["p", "q", "r", "z"] });
  });

  test("removes an item only if no other manager owns it or a part of it", () => {
    const history = new ManagedObject();
    history.apply("a", { ports: [{ port: 80 }, { port: 81, name: "x" }] });
    history.apply("b", { ports: [{ port: 81, protocol: "TCP", name: "x" }] });
    history.apply("a", { ports: [] });
    expect(history.spec).toEqual({ ports: [{ port: 81, name: "x", protocol: "TCP" }] });
  });

  test("owns atomic values as a whole", () => {
    const history = new ManagedObject();
    history.apply("a", { whole: { x: "1" }, list: ["1"] });
    expect(history.owned).toEqual({ a: { "f:list": {}, "f:whole": {} } });
    expect(history.apply("b", { whole: { y: "1" } }).kind).toBe("conflict");
    history.apply("b", { whole: { y: "1" } }, true);
    expect(history.spec).toEqual({ whole: { y: "1" }, list: ["1"] });
  });

  test("to an untracked object conflicts with before-first-apply", () => {
    const history = new ManagedObject();
    history.update("x", { text: "1", number: 1 });
    history.owners = new Map();
    expect(conflictsOf(history.apply("a", { text: "2" }))).toEqual([
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.dev/v1: .spec.text',
    ]);
    history.apply("a", { text: "2" }, true);
    expect(history.owned).toEqual({ a: { "f:text": {} }, "before-first-apply": { ".": {}, "f:number": {} } });
  });

  test.each<readonly [string, JsonObject, string]>([
    ["a field that is not declared", { nope: 1 }, ".spec.nope: field not declared in schema"],
    ["a number for a text", { text: 1 }, ".spec.text: expected string, got &value.valueUnstructured{Value:1}"],
    ["a text for a number", { number: "1" }, ".spec.number: expected numeric (int or float), got string"],
    ["a list for an object", { labels: [1] }, ".spec.labels: expected map, got &{[1]}"],
    ["an object for a list", { list: { a: "b" } }, ".spec.list: expected list, got &{map[a:b]}"],
    ["an item twice", { set: ["x", "x"] }, '.spec.set: duplicate entries for key [="x"]'],
    [
      "an item twice by its default",
      { ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] },
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      "an item that is null",
      { set: [null] },
      ".spec.set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      "a scalar for an item",
      { ports: [1] },
      ".spec.ports: element 0: associative list with keys may not have non-map elements",
    ],
  ])("with %s is rejected", (_what, given, message) => {
    expect(() => new ManagedObject().apply("a", given)).toThrow(new TypeMismatchError(message));
  });
});

/** Returns a spec without empty values. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, child: unknown) =>
    child === null || (typeof child === "object" && Object.keys(child).length === 0) ? undefined : child,
  );
}

describe("other writes", () => {
  test("own the fields they change and take them from other managers without conflict", () => {
    const history = new ManagedObject();
    history.apply("a", { text: "1", labels: { x: "1", y: "1" } });
    history.update("b", { text: "1", labels: { x: "2" } });
    expect(history.owned).toEqual({ a: { "f:text": {} }, b: { "f:labels": { "f:x": {} } } });
  });

  test("that change nothing keep managers and timestamps", () => {
    fc.assert(
      fc.property(spec, (given) => {
        const history = new ManagedObject();
        history.update("a", given);
        const before = encodeManagedFields(history.owners);
        history.update("b", structuredClone(given));
        expect(encodeManagedFields(history.owners)).toEqual(before);
      }),
    );
  });

  test("together own every written field that still exists", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, spec), { minLength: 1, maxLength: 6 }), (writes) => {
        const history = new ManagedObject();
        for (const [manager, given] of writes) history.update(manager, given);
        const all = new ManagedObject();
        all.update("all", writes.at(-1)?.[1] ?? {});
        const leaves = (of: ManagedObject): Set<string> =>
          new Set(
            [...of.owners.values()].flatMap(({ fields }) => [...fields.paths()].map((path) => JSON.stringify(path))),
          );
        const owned = leaves(history);
        expect([...leaves(all)].filter((path) => !owned.has(path))).toEqual([]);
      }),
    );
  });

  test("of more than ten writers merge the oldest into one", () => {
    const history = new ManagedObject();
    const labels: Record<string, string> = {};
    for (let index = 0; index < 13; index++) {
      labels[`l${index}`] = "1";
      history.update(`w${String(index).padStart(2, "0")}`, { labels: { ...labels } });
    }
    expect(Object.keys(history.owned)).toEqual([
      "ancient-changes",
      "w04",
      "w05",
      "w06",
      "w07",
      "w08",
      "w09",
      "w10",
      "w11",
      "w12",
    ]);
    expect(history.owned["ancient-changes"]).toEqual({
      ".": {},
      "f:labels": { ".": {}, "f:l0": {}, "f:l1": {}, "f:l2": {}, "f:l3": {} },
    });
  });

  test("of the same second are merged in order of their names", () => {
    const history = new ManagedObject();
    const labels: Record<string, string> = {};
    for (let index = 10; index > 0; index--) {
      labels[`l${index}`] = "1";
      history.update(`w${String(index).padStart(2, "0")}`, { labels: { ...labels } });
    }
    const time = "1970-01-01T00:00:00Z";
    history.owners = new Map([...history.owners].map(([id, owner]) => [id, { ...owner, time }]));
    history.update("last", { labels, text: "1" });
    expect(history.owned["ancient-changes"]).toEqual({ "f:labels": { "f:l1": {}, "f:l2": {} } });
    expect(Object.keys(history.owned).slice(-2)).toEqual(["w10", "last"]);
  });

  test("may leave duplicate items, which are owned as a whole until they are unique", () => {
    const history = new ManagedObject();
    history.update("a", {
      ports: [
        { port: 80, name: "x" },
        { port: 80, name: "y" },
      ],
    });
    expect(history.owned).toEqual({
      a: { ".": {}, "f:ports": { ".": {}, 'k:{"port":80,"protocol":"TCP"}': {} } },
    });
    history.update("b", { ports: [{ port: 80, name: "x" }] });
    expect(history.owned).toEqual({
      a: { ".": {}, "f:ports": {} },
      b: { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } } },
    });
  });
});

test("fields of an atomic value are removed with all of it", () => {
  const value = { spec: { whole: { x: "1", y: "2" }, list: ["1", "2"], set: ["1", "2"], text: "1" } };
  const removed = FieldSet.of(["f:spec", "f:whole", "f:x"], ["f:spec", "f:list", "i:0"], ["f:spec", "f:set", 'v:"1"']);
  expect(removeFields(kindOf(SCHEMA).type, value, removed)).toEqual({
    spec: { whole: null, list: null, set: ["2"], text: "1" },
  });
});

describe("a schema change", () => {
  test("makes the manager of parts the manager of the whole", () => {
    const history = new ManagedObject();
    history.apply("a", { labels: { x: "1" } });
    history.apply("b", { labels: { y: "1" } });
    const { properties } = SCHEMA;
    const changed = { ...properties?.["spec"]?.properties, labels: { ...properties?.["spec"]?.properties?.["whole"] } };
    history.kind = kindOf({ ...SCHEMA, properties: { spec: { ...properties?.["spec"], properties: changed } } });
    history.update("c", { labels: { x: "1", y: "1" }, text: "1" });
    expect(history.owned).toEqual({ a: { "f:labels": {} }, b: { "f:labels": {} }, c: { "f:text": {} } });
  });

  test("drops managers of removed versions", () => {
    const history = new ManagedObject();
    history.update("a", { text: "1" });
    history.kind = {
      ...kindOf(SCHEMA),
      apiVersion: "example.dev/v2",
      typeForVersion: (version) => (version === "example.dev/v2" ? kindOf(SCHEMA).type : undefined),
    };
    history.update("b", { text: "1" });
    expect(history.owned).toEqual({});
  });
});

describe("kubectl", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const applied = (spec: JsonObject): JsonObject => ({
    annotations: {
      [annotation]: JSON.stringify({ apiVersion: "example.dev/v1", kind: "Thing", metadata: { name: "x" }, spec }),
    },
  });

  test("owns the fields of its client-side apply, unless they were changed since", () => {
    const history = new ManagedObject();
    history.update(
      "kubectl-client-side-apply",
      { text: "1", number: 1 },
      { metadata: { name: "x", ...applied({ text: "1", number: 1 }) } },
    );
    expect(history.apply("kubectl", { text: "2", number: 1 }).kind).toBe("applied");
    history.update(
      "other",
      { text: "2", number: 2 },
      { metadata: { name: "x", ...applied({ text: "2", number: 1 }) } },
    );
    expect(conflictsOf(history.apply("kubectl", { text: "2", number: 3 }))).toEqual([
      'Apply failed with 1 conflict: conflict with "other" using example.dev/v1: .spec.number',
    ]);
  });

  test("updates its last-applied annotation", () => {
    const history = new ManagedObject();
    history.update("kubectl-client-side-apply", { text: "1" }, { metadata: { name: "x", ...applied({ text: "1" }) } });
    history.apply("kubectl", { number: 5 });
    const { annotations } = (history.value as { metadata: { annotations: Record<string, string> } }).metadata;
    expect(JSON.parse(annotations[annotation] ?? "")).toEqual({
      apiVersion: "example.dev/v1",
      kind: "Thing",
      metadata: { name: "x" },
      spec: { number: 5 },
    });
  });
});
