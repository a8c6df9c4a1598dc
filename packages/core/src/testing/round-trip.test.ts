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

test("a conversion that loses nothing passes", () => {
  expect(() => checkRoundTrip(good, { seed: 1 })).not.toThrow();
});

test("one that forgets a field fails with the seed and the smallest object that shows it", () => {
  const forgetful = conversion(V1, V2, {
    up: ({ spec: { size, unit } }) => ({ spec: { size: { amount: size, unit } } }),
    down: ({ spec: { size } }) => ({ spec: { size: size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(forgetful, { seed: 3 })).toThrow(
    /v1 → v2: down\(up\(x\)\) is .*, which is not x \(seed 3, run \d+\): /u,
  );
  expect(() => checkRoundTrip(forgetful, { seed: 3 })).toThrow(
    /\{"spec":\{"size":0,"unit":"k?g"(,"note":"")?\}(,"status":\{.*\})?\}$/u,
  );
});

test("one that gives what the other version refuses or does not have fails", () => {
  const negative = conversion(V1, V2, {
    up: ({ spec: { size, unit } }) => ({ spec: { size: { amount: -1 - size, unit } } }),
    down: ({ spec: { size } }) => ({ spec: { size: -1 - size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(negative, { seed: 1 })).toThrow(
    "up gives what v2 refuses: spec.size.amount: Invalid value",
  );
  const stray = conversion(V1, V2, {
    up: ({ spec }) => {
      const upper = { size: { amount: spec.size, unit: spec.unit }, old: spec.size };
      return { spec: upper };
    },
    down: ({ spec: { size } }) => ({ spec: { size: size.amount, unit: size.unit } }),
  });
  expect(() => checkRoundTrip(stray, { seed: 1 })).toThrow("up gives a field that v2 does not have: spec.old");
});

test("one that throws fails with what it threw", () => {
  const broken = conversion(V1, V2, {
    up: good.up as never, // its types are erased, its functions are the right ones
    down: () => {
      throw new Error("not written yet");
    },
  });
  expect(() => checkRoundTrip(broken, { seed: 1, runs: 1 })).toThrow(
    "down throws: Error: not written yet (seed 1, run 0)",
  );
});
