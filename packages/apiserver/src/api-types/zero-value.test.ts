import { expect, test } from "vitest";
import { ApiTypes } from "./api-types.ts";
import { zeroValueOf } from "./zero-value.ts";

const TYPES = new ApiTypes({
  packages: {},
  kinds: {},
  types: {
    "example.v1.Widget": {
      metadata: "1 meta.v1.ObjectMeta zero=empty",
      spec: "2 example.v1.WidgetSpec zero=empty",
      common: "3 example.v1.Common inline",
    },
    "example.v1.WidgetSpec": {
      name: "1 string zero=empty required",
      color: "2 string omitempty",
      size: "3 *int32",
      limit: "4 *int32 zero=null",
      parts: "5 []string zero=null required",
      since: "6 meta.v1.Time zero=empty",
      port: "7 intstr.IntOrString zero=empty",
      parent: "8 example.v1.Widget",
    },
    "example.v1.Common": { paused: "1 bool zero=empty" },
    "meta.v1.ObjectMeta": { name: "1 string omitempty" },
  },
});

test("an empty object has the fields that Go always writes, at every depth", () => {
  expect(zeroValueOf(TYPES, "example.v1.Widget")).toEqual({
    metadata: {},
    spec: { name: "", limit: null, parts: null, since: null, port: 0 },
    paused: false,
  });
});

test("a type that Kubernetes does not have has no such fields", () => {
  expect(zeroValueOf(TYPES, "example.v1.Gadget")).toEqual({});
});
