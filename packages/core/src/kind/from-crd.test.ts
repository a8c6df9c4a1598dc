import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { DeclarationError } from "../error/index.ts";
import { deepEqual, parseJson, stringifyJson } from "../json/index.ts";
import type { JsonObject } from "../json/index.ts";
import { s, Schema } from "../schema/index.ts";
import { objectSchema } from "../testing/structural.fixture.ts";
import { crdOf, kind, kindFromCrd } from "./index.ts";
import type { SpecOf } from "./index.ts";

const names = { group: "shop.dev", version: "v1", kind: "Order", plural: "orders" };
const Order = kind({
  ...names,
  shortNames: ["ord"],
  categories: ["all"],
  scope: "Cluster",
  spec: s.object({ amount: s.int32(), color: s.string().default("red"), tags: s.array(s.string()).set().optional() }),
  status: s.object({ total: s.int32().optional() }),
  columns: { Amount: ".spec.amount", Total: { path: ".status.total", wide: true, description: "All of it." } },
  scale: { specReplicasPath: ".spec.amount", statusReplicasPath: ".status.total" },
  selectableFields: [".spec.color"],
  rules: [{ rule: "self.spec.amount > 0" }],
});

const plain = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "orders.shop.dev" },
  spec: {
    group: "shop.dev",
    names: { kind: "Order", plural: "orders" },
    scope: "Namespaced",
    versions: [
      { name: "v1beta1", served: true, storage: false, schema: { openAPIV3Schema: { type: "object" } } },
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              apiVersion: { type: "string", description: "APIVersion defines …" },
              metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } },
              spec: { type: "object", additionalProperties: true },
              status: { type: "object", properties: { phase: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

/** Returns the definition with the value at a path replaced. */
function changed(path: readonly (string | number)[], value: unknown, at: unknown = plain): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy: unknown = structuredClone(at);
  if (typeof copy === "object" && copy !== null) Reflect.set(copy, key, changed(rest, value, Reflect.get(copy, key)));
  return copy;
}

describe("a kind read from a definition", () => {
  test("emits the same definition", () => {
    expect(crdOf(kindFromCrd(crdOf(Order)))).toEqual(crdOf(Order));
    expect(kindFromCrd(crdOf(Order))).toEqual(Order);
    expectTypeOf<SpecOf<ReturnType<typeof kindFromCrd>>>().toEqualTypeOf<JsonObject>();
  });

  test("emits the same definition for any schema, also via text", () => {
    fc.assert(
      fc.property(objectSchema, objectSchema, fc.boolean(), (spec, status, isOptional) => {
        const { required: _required, ...built } = status;
        const declared = new Schema(spec, "required");
        const crd = crdOf(
          kind({
            ...names,
            spec: isOptional ? declared.optional() : declared,
            status: new Schema(built, "required"),
          }),
        );
        const read: unknown = parseJson(stringifyJson(crd));
        expect(crdOf(kindFromCrd(crd))).toEqual(crd);
        expect(deepEqual(crdOf(kindFromCrd(read)), crd)).toBe(true);
      }),
    );
  });

  test("is the stored version, or the requested one", () => {
    expect(kindFromCrd(plain)).toMatchObject({
      version: "v1",
      singular: "order",
      scope: "Namespaced",
      hasStatus: false,
    });
    expect(kindFromCrd(plain, { version: "v1beta1" })).toMatchObject({
      version: "v1beta1",
      columns: [],
      selectableFields: [],
    });
    expect(() => kindFromCrd(plain, { version: "v2" })).toThrow("spec.versions: no version v2: use one of v1beta1, v1");
  });

  test("keeps the names of its definition and expands additionalProperties", () => {
    expect(kindFromCrd(plain).schema).toEqual({
      type: "object",
      properties: {
        metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } },
        spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        status: { type: "object", properties: { phase: { type: "string" } } },
      },
    });
  });
});

describe("a definition that cannot be read", () => {
  const schema = ["spec", "versions", 1, "schema", "openAPIV3Schema"];
  test.each([
    [["apiVersion"], "apiextensions.k8s.io/v1beta1", 'apiVersion: is "apiextensions.k8s.io/v1beta1": write apiext'],
    [["kind"], "Deployment", 'kind: is "Deployment": write CustomResourceDefinition'],
    [
      ["metadata", "name"],
      "order.shop.dev",
      "metadata.name: does not match spec.names.plural and spec.group: write orders.shop.dev",
    ],
    [["spec"], undefined, "spec: is not an object"],
    [["spec", "group"], undefined, "spec.group: is missing"],
    [["spec", "names", "plural"], 3, "spec.names.plural: is not a string"],
    [["spec", "names", "shortNames"], "o", "spec.names.shortNames: is not a list"],
    [["spec", "scope"], "Global", 'spec.scope: is "Global": write Namespaced or Cluster'],
    [["spec", "preserveUnknownFields"], true, "spec.preserveUnknownFields: the field is not supported"],
    [["spec", "versions"], [], "spec.versions: 0 versions have storage: true"],
    [["spec", "versions", 0, "storage"], true, "spec.versions: 2 versions have storage: true"],
    [["spec", "versions", 1, "schema"], {}, "spec.versions[1].schema.openAPIV3Schema: is missing"],
    [[...schema, "type"], "array", "openAPIV3Schema.type: the root schema must have type object"],
    [[...schema, "properties", "spec", "type"], "text", 'properties.spec.type: is "text": write object or array or'],
    [
      [...schema, "properties", "spec", "minProperties"],
      "1",
      "properties.spec.minProperties: has the wrong type: write a number",
    ],
    [[...schema, "properties", "spec", "$ref"], "#", "properties.spec.$ref: references are not supported"],
    [[...schema, "x-kubernetes-validations"], [{}], "write a list of { rule: … }"],
    [
      ["spec", "versions", 1, "additionalPrinterColumns"],
      [{ name: "A", type: "text" }],
      "additionalPrinterColumns[0].type: ",
    ],
  ])("%j with %j: the error names the field", (path, value, message) => {
    const wrong = changed(path, value);
    expect(() => kindFromCrd(wrong)).toThrow(DeclarationError);
    expect(() => kindFromCrd(wrong)).toThrow(message);
  });

  test("only throws DeclarationErrors", () => {
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(undefined, true, "x", [], {}, null));
    const paths = fc.constantFrom<readonly (string | number)[]>(
      [],
      ["metadata"],
      ["spec", "names"],
      ["spec", "versions", 1],
      ["spec", "versions", 1, "subresources"],
      ["spec", "versions", 1, "selectableFields"],
      [...schema, "properties"],
      [...schema, "properties", "spec", "items"],
    );
    fc.assert(
      fc.property(paths, anything, (path, value) => {
        let thrown: unknown;
        try {
          kindFromCrd(changed(path, value));
        } catch (error) {
          thrown = error;
        }
        expect(thrown === undefined || thrown instanceof DeclarationError).toBe(true);
      }),
    );
  });
});
