import { expect, test } from "vitest";
import { conversion, kind } from "../kind/index.ts";
import { s } from "../schema/index.ts";
import { checkRoundTrip } from "./index.ts";

const names = { group: "shop.dev", kind: "Order" };
const V1 = kind({
  ...names,
  version: "v1",
  spec: s.object({ size: s.int32().min(0), unit: s.enum("g", "kg").default("g"), note: s.string().optional() }),
  status: s.object({ weight: s.int64().optional() }),
});
const V2 = kind({
  ...names,
  version: "v2",
  spec: s.object({
    size: s.object({ amount: s.int32().min(0), unit: s.enum("g", "kg") }),
    note: s.string().optional(),
  }),
  status: s.object({ weight: s.int64().optional() }),
});

const good = conversion(V1, V2, {
  up: ({ spec: { size, unit, ...rest }, status }) => ({
    spec: { ...rest, size: { amount: size, unit } },
    ...(status === undefined ? {} : { status }),
  }),
  down: ({ spec: { size, ...rest }, status }) => ({
    spec: { ...rest, size: size.amount, unit: size.unit },
    ...(status === undefined ? {} : { status }),
  }),
});

test("a lossless conversion passes", () => {
  expect(() => checkRoundTrip(good, { seed: 1 })).not.toThrow();
});

test("a conversion that drops a field fails with the seed and the smallest failing object", () => {
  const forgetful = conversion(V1, V2, {
    up: ({ spec: { size, unit } }) => ({ spec: { size: { amount: size, unit } } }),
    down: ({ spec: { size } }) => ({ spec: { size: size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(forgetful, { seed: 3 })).toThrow(
    /v1 → v2: down\(up\(x\)\) is .* instead of x \(seed 3, run \d+\): /u,
  );
  expect(() => checkRoundTrip(forgetful, { seed: 3 })).toThrow(
    /\{"spec":\{"size":0,"unit":"k?g"(,"note":"")?\}(,"status":\{.*\})?\}$/u,
  );
});

test("a conversion to an invalid object or to unknown fields fails", () => {
  const negative = conversion(V1, V2, {
    up: ({ spec: { size, unit } }) => ({ spec: { size: { amount: -1 - size, unit } } }),
    down: ({ spec: { size } }) => ({ spec: { size: -1 - size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(negative, { seed: 1 })).toThrow(
    "up returns an object that v2 rejects: spec.size.amount: Invalid value",
  );
  const unlistedRef = conversion(V1, V2, {
    up: ({ spec }) => {
      const upper = { size: { amount: spec.size, unit: spec.unit }, old: spec.size };
      return { spec: upper };
    },
    down: ({ spec: { size } }) => ({ spec: { size: size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(unlistedRef, { seed: 1 })).toThrow("up returns a field unknown to v2: spec.old");
});

test("a conversion that throws fails with its error", () => {
  const broken = conversion(V1, V2, {
    up: good.up as never, // types are erased; the functions are compatible
    down: () => {
      throw new Error("not written yet");
    },
  });
  expect(() => checkRoundTrip(broken, { seed: 1, runs: 1 })).toThrow(
    "down throws: Error: not written yet (seed 1, run 0)",
  );
});
