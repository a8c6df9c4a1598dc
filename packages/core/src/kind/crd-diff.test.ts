import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { s, Schema, validate } from "../schema/index.ts";
import type { AnySchema, StructuralSchema } from "../schema/index.ts";
import { sampleValue, seededRandom } from "../testing/index.ts";
import { objectSchema, structuralSchema } from "../testing/structural.fixture.ts";
import { crdOf, diffCrds, kind } from "./index.ts";
import type { CrdSpec, CrdVersion } from "./index.ts";

function specWith(field: StructuralSchema | undefined, required: readonly string[] = []): CrdSpec {
  const spec: StructuralSchema = { type: "object", properties: field === undefined ? {} : { x: field }, required };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } } as const;
  return {
    group: "shop.dev",
    names: { kind: "Order", plural: "orders" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
  };
}

const text: StructuralSchema = { type: "string" };

function summary(before: CrdSpec, after: CrdSpec): readonly string[] {
  return diffCrds(before, after, { includeCompatible: true }).map(({ severity, path }) => `${severity} ${path}`);
}

describe("a change of a field", () => {
  const list = (type: StructuralSchema["x-kubernetes-list-type"], keys?: readonly string[]): StructuralSchema => ({
    type: "array",
    items: { type: "object", properties: { a: text, b: text } },
    ...(type === undefined ? {} : { "x-kubernetes-list-type": type }),
    ...(keys === undefined ? {} : { "x-kubernetes-list-map-keys": keys }),
  });
  const ruled = (...rules: readonly string[]): StructuralSchema => ({
    ...text,
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  });
  test.each<[string, StructuralSchema | undefined, StructuralSchema | undefined, string]>([
    ["removed", text, undefined, "breaking spec.x"],
    ["added", undefined, text, "compatible spec.x"],
    ["another type", text, { type: "integer" }, "breaking spec.x"],
    ["int or string", { type: "integer" }, { "x-kubernetes-int-or-string": true }, "risky spec.x"],
    ["no longer int or string", { "x-kubernetes-int-or-string": true }, text, "breaking spec.x"],
    ["fewer values", { ...text, enum: ["a", "b"] }, { ...text, enum: ["a"] }, "breaking spec.x"],
    ["more values", { ...text, enum: ["a"] }, { ...text, enum: ["a", "b"] }, "compatible spec.x"],
    ["only some values", text, { ...text, enum: ["a"] }, "breaking spec.x"],
    ["any value", { ...text, enum: ["a"] }, text, "compatible spec.x"],
    ["a bound", text, { ...text, maxLength: 3 }, "breaking spec.x"],
    ["a tighter bound", { ...text, minLength: 1 }, { ...text, minLength: 2 }, "breaking spec.x"],
    ["a looser bound", { ...text, maxLength: 1 }, { ...text, maxLength: 2 }, "compatible spec.x"],
    [
      "a bound that is excluded",
      { type: "number", minimum: 1 },
      { type: "number", minimum: 1, exclusiveMinimum: true },
      "breaking spec.x",
    ],
    ["another multiple", { type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 3 }, "breaking spec.x"],
    ["a divisor", { type: "integer", multipleOf: 6 }, { type: "integer", multipleOf: 3 }, "compatible spec.x"],
    ["a pattern", text, { ...text, pattern: "a" }, "breaking spec.x"],
    ["another pattern", { ...text, pattern: "b" }, { ...text, pattern: "a" }, "breaking spec.x"],
    ["no pattern", { ...text, pattern: "b" }, text, "compatible spec.x"],
    ["a format", text, { ...text, format: "uri" }, "breaking spec.x"],
    ["no format", { ...text, format: "uri" }, text, "compatible spec.x"],
    ["more bits", { type: "integer", format: "int32" }, { type: "integer", format: "int64" }, "risky spec.x"],
    ["null refused", { ...text, nullable: true }, text, "breaking spec.x"],
    ["null allowed", text, { ...text, nullable: true }, "compatible spec.x"],
    ["a set", list(undefined), list("set"), "breaking spec.x"],
    ["a list as a whole", list("map", ["a"]), list("atomic"), "risky spec.x"],
    ["other keys", list("map", ["a"]), list("map", ["b"]), "breaking spec.x"],
    ["a map as a whole", { type: "object" }, { type: "object", "x-kubernetes-map-type": "atomic" }, "risky spec.x"],
    ["closed", { type: "object", "x-kubernetes-preserve-unknown-fields": true }, { type: "object" }, "breaking spec.x"],
    [
      "opened",
      { type: "object" },
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      "compatible spec.x",
    ],
    ["no entries", { type: "object", additionalProperties: text }, { type: "object" }, "breaking spec.x"],
    [
      "other entries",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: { type: "integer" } },
      "breaking spec.x[*]",
    ],
    [
      "items inside",
      { type: "array", items: { ...text, default: "a" } },
      { type: "array", items: text },
      "risky spec.x[*]",
    ],
    ["a default", text, { ...text, default: "a" }, "risky spec.x"],
    ["another default", { ...text, default: "b" }, { ...text, default: "a" }, "risky spec.x"],
    ["a rule", text, ruled("self != ''"), "breaking spec.x"],
    ["a rule about updates", text, ruled("self == oldSelf"), "risky spec.x"],
    ["a rule with a text that names oldSelf", text, ruled("self != 'oldSelf'"), "breaking spec.x"],
    ["no rule", ruled("self != ''"), text, "compatible spec.x"],
    ["alternatives", text, { ...text, anyOf: [{ maxLength: 1 }] }, "breaking spec.x"],
    [
      "more alternatives",
      { ...text, anyOf: [{ maxLength: 1 }] },
      { ...text, anyOf: [{ maxLength: 1 }, { minLength: 3 }] },
      "compatible spec.x",
    ],
    [
      "more cases of one",
      { ...text, oneOf: [{ maxLength: 1 }] },
      { ...text, oneOf: [{ maxLength: 1 }, { minLength: 3 }] },
      "breaking spec.x",
    ],
    ["something excluded", text, { ...text, not: { enum: ["a"] } }, "breaking spec.x"],
    ["a description", text, { ...text, description: "what" }, "compatible spec.x"],
  ])("%s", (_name, before, after, expected) => {
    expect(summary(specWith(before), specWith(after))).toEqual([expected]);
  });

  test("to required breaks, unless it has a default", () => {
    expect(summary(specWith(text), specWith(text, ["x"]))).toEqual(["breaking spec.x"]);
    expect(summary(specWith(undefined), specWith(text, ["x"]))).toEqual(["breaking spec.x", "compatible spec.x"]);
    const withDefault = { ...text, default: "a" };
    expect(summary(specWith(withDefault), specWith(withDefault, ["x"]))).toEqual(["risky spec.x"]);
    expect(summary(specWith(withDefault, ["x"]), specWith(text, ["x"]))).toEqual(["breaking spec.x"]);
    expect(summary(specWith(text, ["x"]), specWith(text))).toEqual(["compatible spec.x"]);
  });

  test("states the effect and what to do", () => {
    const [first] = diffCrds(specWith({ ...text, maxLength: 5 }), specWith({ ...text, maxLength: 3 }));
    expect(first).toEqual({
      severity: "breaking",
      version: "v1",
      path: "spec.x",
      message:
        "maxLength changed from 5 to 3: objects outside of the bound are rejected: change the objects first, or make the change in a new version",
    });
  });
});

describe("a change of the definition", () => {
  const base = specWith(text);
  const [v1] = base.versions;
  const version = (changes: Partial<CrdVersion>): CrdSpec => ({
    ...base,
    versions: v1 === undefined ? [] : [{ ...v1, ...changes }],
  });

  test("of the names, group or scope is breaking", () => {
    expect(summary(base, { ...base, group: "other.dev" })).toEqual(["breaking spec.group"]);
    expect(summary(base, { ...base, scope: "Cluster" })).toEqual(["breaking spec.scope"]);
    expect(summary(base, { ...base, names: { ...base.names, plural: "orderz" } })).toEqual([
      "breaking spec.names.plural",
    ]);
    expect(summary(base, { ...base, names: { ...base.names, singular: "ord", shortNames: ["o"] } })).toEqual([
      "risky spec.names.singular",
      "compatible spec.names.shortNames",
    ]);
    expect(summary(base, { ...base, names: { ...base.names, singular: "order" } })).toEqual([]);
  });

  test("of versions is classified by its impact", () => {
    const v2: CrdVersion = { name: "v2", served: true, storage: true };
    expect(summary(base, { ...base, versions: [v2] })).toEqual(["breaking ", "risky spec.versions", "compatible "]);
    expect(summary(base, version({ served: false }))).toEqual(["breaking "]);
    expect(summary(version({ served: false, storage: false }), { ...base, versions: [] })).toEqual(["risky "]);
    expect(summary(base, { ...base, versions: [...base.versions, { ...v2, storage: false }] })).toEqual([
      "compatible ",
    ]);
  });

  test("of subresources, selectable fields and columns", () => {
    const scale = { specReplicasPath: ".spec.x", statusReplicasPath: ".status.x" };
    const scaled = version({ subresources: { status: {}, scale } });
    expect(summary(base, version({ subresources: {} }))).toEqual(["breaking subresources.status"]);
    expect(summary(version({ subresources: {} }), base)).toEqual(["risky subresources.status"]);
    expect(summary(scaled, base)).toEqual(["breaking subresources.scale"]);
    expect(summary(base, scaled)).toEqual(["compatible subresources.scale"]);
    const elsewhere = version({ subresources: { status: {}, scale: { ...scale, specReplicasPath: ".spec.y" } } });
    expect(summary(scaled, elsewhere)).toEqual(["risky subresources.scale"]);
    const selectable = version({ selectableFields: [{ jsonPath: ".spec.x" }] });
    expect(summary(selectable, base)).toEqual(["breaking selectableFields"]);
    expect(summary(base, selectable)).toEqual(["compatible selectableFields"]);
    const columns = version({ additionalPrinterColumns: [{ name: "X", type: "string", jsonPath: ".spec.x" }] });
    expect(summary(base, columns)).toEqual(["compatible additionalPrinterColumns"]);
    expect(diffCrds(base, columns)).toEqual([]);
  });

  test("is listed with the worst first", () => {
    const fields = (fields: Readonly<Record<string, AnySchema>>): CrdSpec =>
      crdOf(kind({ group: "shop.dev", version: "v1", kind: "Order", spec: s.object(fields) })).spec;
    const before = fields({ b: s.string(), a: s.string(), c: s.string() });
    const after = fields({ a: s.int32(), c: s.string().default("x"), b: s.string().max(3) });
    expect(summary(before, after)).toEqual(["breaking spec.a", "breaking spec.b", "risky spec.c", "compatible spec.c"]);
  });
});

describe("laws", () => {
  const specOf = (schema: StructuralSchema): CrdSpec =>
    crdOf(kind({ group: "shop.dev", version: "v1", kind: "Order", spec: new Schema(schema, "required") })).spec;

  test("a definition has no changes to itself", () => {
    fc.assert(
      fc.property(structuralSchema, (schema) => {
        expect(diffCrds(specOf(schema), specOf(structuredClone(schema)), { includeCompatible: true })).toEqual([]);
      }),
    );
  });

  test("when a valid value becomes invalid, a breaking or risky change is listed", () => {
    const mutated = fc.tuple(objectSchema, objectSchema, structuralSchema, structuralSchema).chain(([a, b, c, d]) =>
      fc.constantFrom<[StructuralSchema, StructuralSchema]>(
        [a, b],
        [c, d],
        [a, { ...a, properties: { ...a.properties, ...b.properties } }],
        [a, { ...a, ...b, properties: { ...b.properties, ...a.properties } }],
        [a, { ...a, required: Object.keys(a.properties ?? {}) }],
        [
          { ...a, properties: { a: c } },
          { ...a, properties: { a: { ...c, ...d } } },
        ],
      ),
    );
    const seeds = fc.integer({ min: 0, max: 2 ** 31 });
    fc.assert(
      fc.property(mutated, seeds, ([before, after], seed) => {
        const value = sampleValue(before, seededRandom(seed));
        const changes = diffCrds(specOf(before), specOf(after));
        expect(validate(after, value).length === 0 || changes.length > 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
