import { describe, expect, expectTypeOf, test } from "vitest";
import { DeclarationError } from "../error/index.ts";
import { deepFreeze } from "../json/index.ts";
import type { JsonObject } from "../json/index.ts";
import { s } from "../schema/index.ts";
import { conversion, convertObject, kind } from "./index.ts";
import type { Conversion } from "./index.ts";

const names = { group: "shop.dev", kind: "Order" };
const V1 = kind({
  ...names,
  version: "v1",
  spec: s.object({ size: s.string() }),
  status: s.object({ n: s.int32().optional() }),
});
const V2 = kind({ ...names, version: "v2", spec: s.object({ size: s.object({ text: s.string() }) }) });
const V3 = kind({ ...names, version: "v3", spec: s.object({ sizes: s.array(s.string()) }) });
const V4 = kind({ ...names, version: "v4", spec: s.object({}) });

const oneTwo = conversion(V1, V2, {
  up: ({ spec, status }) => ({
    spec: { size: { text: spec.size } },
    ...(status?.n === undefined ? {} : { status: { was: status.n } }),
  }),
  down: ({ spec }) => ({ spec: { size: spec.size.text } }),
});
const twoThree = conversion(V2, V3, {
  up: ({ spec }) => ({ spec: { sizes: [spec.size.text] } }),
  down: ({ spec }) => ({ spec: { size: { text: spec.sizes[0] ?? "" } } }),
});
const metadata = { name: "a", uid: "1", resourceVersion: "2", annotations: { ["__proto__"]: "x" } };
const order: JsonObject = deepFreeze({ apiVersion: "shop.dev/v1", kind: "Order", metadata, spec: { size: "L" } });

describe("a conversion", () => {
  test("is typed by the two kinds", () => {
    conversion(V1, V2, {
      up: (object) => {
        expectTypeOf(object.spec).toEqualTypeOf<{ readonly size: string }>();
        expectTypeOf(object.status).toEqualTypeOf<{ readonly n?: number } | undefined>();
        return { spec: { size: { text: "" } } };
      },
      // @ts-expect-error the spec of v1 has a string
      down: () => ({ spec: { size: 3 } }),
    });
    expectTypeOf(oneTwo).toEqualTypeOf<Conversion>();
  });

  test("is only possible between versions of one kind", () => {
    const Other = kind({ ...names, kind: "Bill", version: "v2", spec: s.object({}) });
    const functions = { up: () => ({ spec: {} }), down: () => ({ spec: { size: "" } }) };
    expect(() => conversion(V1, Other, functions)).toThrow("the kind is Order in v1 and Bill in v2: use two versions");
    expect(() => conversion(V1, V1, { up: (object) => object, down: (object) => object })).toThrow(
      "both versions are v1",
    );
  });
});

describe("an object is converted", () => {
  const all = [oneTwo, twoThree];

  test("in several steps, up and down, with unchanged metadata", () => {
    const latest = convertObject(all, order, "v3");
    expect(latest).toEqual({ ...order, apiVersion: "shop.dev/v3", spec: { sizes: ["L"] } });
    expect(convertObject(all, latest, "v1")).toEqual(order);
    expect(convertObject(all, order, "v1")).toBe(order);
  });

  test("on the shortest path", () => {
    const direct = conversion(V1, V3, {
      up: ({ spec }) => ({ spec: { sizes: ["direct", spec.size] } }),
      down: () => ({ spec: { size: "direct" } }),
    });
    expect(convertObject([...all, direct], order, "v3")).toMatchObject({ spec: { sizes: ["direct", "L"] } });
  });

  test("with the engine's conditions preserved and hidden from the functions", () => {
    const conditions = [{ type: "Ready", status: "True", lastTransitionTime: "2024-01-01T00:00:00Z" }];
    const status = { n: 3, observedGeneration: 7, conditions };
    expect(convertObject(all, { ...order, status }, "v2")["status"]).toEqual({
      was: 3,
      observedGeneration: 7,
      conditions,
    });
    expect(convertObject(all, { ...order, status }, "v3")["status"]).toEqual({ observedGeneration: 7, conditions });
  });

  test("or the error states why not", () => {
    const lonely = conversion(V3, V4, { up: () => ({ spec: {} }), down: () => ({ spec: { sizes: [] } }) });
    const wrong = [
      () => convertObject([oneTwo, lonely], order, "v4"),
      () => convertObject(all, order, "v9"),
      () => convertObject(all, { ...order, apiVersion: "shop.dev/v0" }, "v1"),
      () => convertObject(all, { ...order, apiVersion: "other.dev/v1" }, "v1"),
      () => convertObject([], {}, "v1"),
    ];
    const messages = [
      "Order: no conversion path from v1 to v4: declare a conversion between them",
      "Order: no conversion for version v9: known versions are v1, v2, v3",
      "Order: no conversion for version shop.dev/v0: known versions are v1, v2, v3",
      "no conversion for Order other.dev/v1: declare one with conversion()",
      "no conversion for (missing) (missing)",
    ];
    for (const [index, run] of wrong.entries()) {
      expect(run).toThrow(DeclarationError);
      expect(run).toThrow(messages[index]);
    }
  });

  test("to an object with a spec", () => {
    const broken: Conversion = { ...oneTwo, up: () => ({ spec: 3 }) };
    expect(() => convertObject([broken], order, "v2")).toThrow("the conversion to v2 returned no object with a spec");
  });
});
