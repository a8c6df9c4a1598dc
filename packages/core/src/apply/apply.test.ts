import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { History, kindOf, SCHEMA } from "./apply.fixture.ts";
import { UntypedValueError } from "./check.ts";
import { describeConflicts } from "./conflict.ts";
import type { Applied } from "./apply-configuration.ts";
import { FieldSet } from "./field-set.ts";
import { encodeOwners } from "./owner.ts";
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

function conflictsOf(applied: Applied): readonly string[] {
  return applied.kind === "conflict" ? describeConflicts(applied.conflicts).split("\n") : [];
}

describe("an applied configuration", () => {
  test("changes nothing the second time, not even a time", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const history = new History();
        history.apply("a", first);
        history.apply("b", second, true);
        const [value, owners] = [history.value, encodeOwners(history.owners)];
        history.apply("b", second);
        expect(history.value).toBe(value);
        expect(encodeOwners(history.owners)).toEqual(owners);
      }),
    );
  });

  test("by one applier alone leaves exactly its fields, whatever it applied before", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const [twice, once] = [new History(), new History()];
        twice.apply("a", first);
        twice.apply("a", second);
        once.apply("a", second);
        expect(twice.owned).toEqual(once.owned);
        expect(withoutEmpty(twice.spec)).toEqual(withoutEmpty(once.spec));
      }),
    );
  });

  test("that took a field by force is in the way of its former owner", () => {
    const history = new History();
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

  test("names every owner in its way", () => {
    const history = new History();
    history.apply("a", { ports: [{ port: 80, name: "x" }] });
    history.update("b", { ports: [{ port: 80, name: "x" }], set: ["s"], text: "1" });
    expect(conflictsOf(history.apply("c", { ports: [{ port: 80, name: "y" }], text: "2" }))).toEqual([
      'Apply failed with 2 conflicts: conflicts with "a":',
      '- .spec.ports[port=80,protocol="TCP"].name',
      'conflicts with "b" using example.dev/v1:',
      "- .spec.text",
    ]);
  });

  test("shares a field that it sets to the value that it has; it stays until nobody applies it", () => {
    const history = new History();
    history.apply("a", { text: "1" });
    history.apply("b", { text: "1", number: 1 });
    history.apply("a", {});
    expect(history.spec).toEqual({ text: "1", number: 1 });
    history.apply("b", { number: 1 });
    expect(history.spec).toEqual({ number: 1 });
  });

  test("keeps what others added to a list, and orders the items as it has them", () => {
    const history = new History();
    history.apply("a", { set: ["x", "y"] });
    history.update("b", { set: ["p", "x", "q", "y", "r"] });
    history.apply("a", { set: ["y", "x", "z"] });
    expect(history.spec).toEqual({ set: ["p", "q", "y", "r", "x", "z"] });
    history.apply("a", { set: ["z"] });
    expect(history.spec).toEqual({ set: ["p", "q", "r", "z"] });
  });

  test("removes an item only when nobody else owns it or a part of it", () => {
    const history = new History();
    history.apply("a", { ports: [{ port: 80 }, { port: 81, name: "x" }] });
    history.apply("b", { ports: [{ port: 81, protocol: "TCP", name: "x" }] });
    history.apply("a", { ports: [] });
    expect(history.spec).toEqual({ ports: [{ port: 81, name: "x", protocol: "TCP" }] });
  });

  test("owns what is atomic as a whole", () => {
    const history = new History();
    history.apply("a", { whole: { x: "1" }, list: ["1"] });
    expect(history.owned).toEqual({ a: { "f:list": {}, "f:whole": {} } });
    expect(history.apply("b", { whole: { y: "1" } }).kind).toBe("conflict");
    history.apply("b", { whole: { y: "1" } }, true);
    expect(history.spec).toEqual({ whole: { y: "1" }, list: ["1"] });
  });

  test("to an object that nobody tracked meets a nameless owner of all there was", () => {
    const history = new History();
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
  ])("with %s is refused", (_what, given, message) => {
    expect(() => new History().apply("a", given)).toThrow(new UntypedValueError(message));
  });
});

/** A spec without what only says that there is nothing. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, child: unknown) =>
    child === null || (typeof child === "object" && Object.keys(child).length === 0) ? undefined : child,
  );
}

describe("other writes", () => {
  test("own what they change, and take it from its owner without asking", () => {
    const history = new History();
    history.apply("a", { text: "1", labels: { x: "1", y: "1" } });
    history.update("b", { text: "1", labels: { x: "2" } });
    expect(history.owned).toEqual({ a: { "f:text": {} }, b: { "f:labels": { "f:x": {} } } });
  });

  test("that change nothing leave owners and times alone", () => {
    fc.assert(
      fc.property(spec, (given) => {
        const history = new History();
        history.update("a", given);
        const before = encodeOwners(history.owners);
        history.update("b", structuredClone(given));
        expect(encodeOwners(history.owners)).toEqual(before);
      }),
    );
  });

  test("own together every field that was ever written and is still there", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, spec), { minLength: 1, maxLength: 6 }), (writes) => {
        const history = new History();
        for (const [manager, given] of writes) history.update(manager, given);
        const all = new History();
        all.update("all", writes.at(-1)?.[1] ?? {});
        const leaves = (of: History): Set<string> =>
          new Set(
            [...of.owners.values()].flatMap(({ fields }) => [...fields.paths()].map((path) => JSON.stringify(path))),
          );
        const owned = leaves(history);
        expect([...leaves(all)].filter((path) => !owned.has(path))).toEqual([]);
      }),
    );
  });

  test("of more than ten writers merge the oldest into one", () => {
    const history = new History();
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

  test("of the same second are merged by their names", () => {
    const history = new History();
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

  test("may leave an item twice, which is owned as a whole until it is there once", () => {
    const history = new History();
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

test("fields of what is owned as a whole are removed with all of it", () => {
  const value = { spec: { whole: { x: "1", y: "2" }, list: ["1", "2"], set: ["1", "2"], text: "1" } };
  const removed = FieldSet.of(["f:spec", "f:whole", "f:x"], ["f:spec", "f:list", "i:0"], ["f:spec", "f:set", 'v:"1"']);
  expect(removeFields(kindOf(SCHEMA).type, value, removed)).toEqual({
    spec: { whole: null, list: null, set: ["2"], text: "1" },
  });
});

describe("a schema that changes", () => {
  test("makes the owner of parts the owner of the whole", () => {
    const history = new History();
    history.apply("a", { labels: { x: "1" } });
    history.apply("b", { labels: { y: "1" } });
    const { properties } = SCHEMA;
    const changed = { ...properties?.["spec"]?.properties, labels: { ...properties?.["spec"]?.properties?.["whole"] } };
    history.kind = kindOf({ ...SCHEMA, properties: { spec: { ...properties?.["spec"], properties: changed } } });
    history.update("c", { labels: { x: "1", y: "1" }, text: "1" });
    expect(history.owned).toEqual({ a: { "f:labels": {} }, b: { "f:labels": {} }, c: { "f:text": {} } });
  });

  test("forgets owners of versions that are no more", () => {
    const history = new History();
    history.update("a", { text: "1" });
    history.kind = {
      ...kindOf(SCHEMA),
      apiVersion: "example.dev/v2",
      typeIn: (version) => (version === "example.dev/v2" ? kindOf(SCHEMA).type : undefined),
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

  test("owns what it applied before servers could, unless somebody changed it", () => {
    const history = new History();
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

  test("finds its annotation up to date", () => {
    const history = new History();
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
