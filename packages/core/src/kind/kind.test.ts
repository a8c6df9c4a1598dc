import { describe, expect, expectTypeOf, test } from "vitest";
import { s } from "../schema/index.ts";
import { Secret } from "../kubernetes/index.ts";
import { apiVersionOf, crdOf, kind, kindId } from "./index.ts";
import { pluralOf } from "./kind-names.ts";
import type { NewOf, ObjectOf, SpecOf, StatusOf } from "./index.ts";

const names = { group: "shop.dev", version: "v1", kind: "Order" };
const Order = kind({
  ...names,
  shortNames: ["ord"],
  spec: s.object({ amount: s.int32(), note: s.string().optional() }),
  status: s.object({ total: s.number().optional() }),
  columns: { Amount: ".spec.amount", Total: ".status.total", Note: ".spec.note" },
});

describe("a declared kind", () => {
  test("gives the types of its objects", () => {
    expectTypeOf<SpecOf<typeof Order>>().toEqualTypeOf<{ readonly amount: number; readonly note?: string }>();
    expectTypeOf<StatusOf<typeof Order>>().toEqualTypeOf<{ readonly total?: number }>();
    expectTypeOf<NonNullable<ObjectOf<typeof Order>["status"]>["observedGeneration"]>().toEqualTypeOf<
      number | undefined
    >();
    expectTypeOf<NewOf<typeof Order>["spec"]>().toEqualTypeOf<{ readonly amount: number; readonly note?: string }>();
    expectTypeOf<NonNullable<ObjectOf<typeof Secret>["data"]>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  test("is named as the API names it", () => {
    expect(apiVersionOf(Order)).toBe("shop.dev/v1");
    expect(kindId(Order)).toBe("orders.shop.dev");
    expect([apiVersionOf(Secret), kindId(Secret)]).toEqual(["v1", "secrets"]);
    expect(["Policy", "Ingress", "Gateway", "Box", "Simple"].map(pluralOf)).toEqual([
      "policies",
      "ingresses",
      "gateways",
      "boxes",
      "simples",
    ]);
  });

  test("emits a CRD with the status subresource, the engine's status fields and typed columns", () => {
    const crd = crdOf(Order);
    expect(crd.metadata.name).toBe("orders.shop.dev");
    const [version] = crd.spec.versions;
    expect(version).toMatchObject({ name: "v1", served: true, storage: true, subresources: { status: {} } });
    const schema = version?.schema?.openAPIV3Schema;
    expect(schema?.properties?.["spec"]?.required).toEqual(["amount"]);
    expect(Object.keys(schema?.properties?.["status"]?.properties ?? {})).toEqual([
      "total",
      "observedGeneration",
      "conditions",
    ]);
    expect(version?.additionalPrinterColumns?.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "Ready string",
      "Amount integer",
      "Total number",
      "Note string",
      "Message string",
      "Age date",
    ]);
  });

  test("rejects invalid names and shows a valid one", () => {
    expect(() => kind({ ...names, kind: "order", spec: s.object({}) })).toThrow('"order" is not a valid kind');
    expect(() => kind({ ...names, group: "shop", spec: s.object({}) })).toThrow("like example.com");
    expect(() => kind({ ...names, version: "1", spec: s.object({}) })).toThrow("like v1alpha1");
    expect(() => kind({ ...names, plural: "Orders", spec: s.object({}) })).toThrow("like widgets");
  });

  test("rejects status fields of the engine, required status fields, and columns without a field", () => {
    const spec = s.object({});
    expect(() => kind({ ...names, spec, status: s.object({ conditions: s.any().optional() }) })).toThrow(
      "managed by the engine",
    );
    expect(() => kind({ ...names, spec, status: s.object({ total: s.int32() }) })).toThrow(
      "write .optional() on total",
    );
    expect(() => kind({ ...names, spec, columns: { X: ".spec.nothing" } })).toThrow("no field .spec.nothing");
    expect(() => kind({ ...names, spec, columns: { X: "spec.x" } })).toThrow("write .spec.x");
  });
});
