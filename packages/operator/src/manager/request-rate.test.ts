import { DeclarationError } from "@levelset/core";
import { expect, test } from "vitest";
import { manager } from "./index.ts";
import { requestRate } from "./request-rate.ts";

test("requests are unlimited without qps, and the default burst is twice qps", () => {
  expect(requestRate({})).toBeUndefined();
  expect(requestRate({ qps: 5 })).toEqual({ perSecond: 5, burst: 10 });
  expect(requestRate({ qps: 0.1 })).toEqual({ perSecond: 0.1, burst: 1 });
  expect(requestRate({ qps: 5, burst: 1 })).toEqual({ perSecond: 5, burst: 1 });
});

test.each([
  [{ qps: 0 }, "qps must be a number of at least 0.01, not 0; omit it for no limit"],
  [{ qps: Number.NaN }, "not NaN"],
  [{ qps: Number.POSITIVE_INFINITY }, "not Infinity"],
  [{ qps: 1, burst: 0 }, "burst must be an integer of at least 1, not 0"],
  [{ qps: 1, burst: 1.5 }, "not 1.5"],
  [{ burst: 3 }, "burst is 3, but qps is not set"],
])("a manager refuses the limits %j", (options, message) => {
  expect(() => manager([], options)).toThrow(DeclarationError);
  expect(() => manager([], options)).toThrow(message);
});
