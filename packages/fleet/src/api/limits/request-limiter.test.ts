import { VirtualClock } from "@levelset/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { localCaller } from "../../service/index.ts";
import type { Caller } from "../../service/index.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Permission, Route } from "../route.ts";
import type { LimitsConfig, Rate } from "./limits-config.ts";
import { RequestLimiter } from "./request-limiter.ts";
import { TokenBuckets } from "./token-buckets.ts";

function routeThat(needs: Permission): Route {
  const handle = (): never => {
    throw new TypeError("is not called");
  };
  return { method: "GET", path: "/", operationId: "x", summary: "x", permission: needs, responses: [], handle };
}

function callerOf(identity: string, org = "acme"): Caller {
  const tenancy = { org };
  return { ...localCaller("r"), identity, tenancy, scope: { kind: "tenant", tenancy } };
}

/** Returns the Retry-After of a refused request, or "allowed". */
function outcomeOf(limiter: RequestLimiter, caller: Caller, needs: Permission = "read"): string {
  try {
    limiter.acquire(caller, routeThat(needs))();
    return "allowed";
  } catch (error) {
    return error instanceof HttpProblem
      ? `${error.status} ${error.code} after ${error.headers["retry-after"]} s`
      : String(error);
  }
}

test("a caller may use its burst at once, and then its rate", async () => {
  const clock = new VirtualClock();
  const limiter = new RequestLimiter({ perIdentity: { perSecond: 2, burst: 3 } }, { clock });
  const ann = callerOf("ann");
  expect([1, 2, 3, 4].map(() => outcomeOf(limiter, ann))).toEqual([
    "allowed",
    "allowed",
    "allowed",
    "429 LMT-001 after 1 s",
  ]);
  await clock.advance(499);
  expect(outcomeOf(limiter, ann)).toBe("429 LMT-001 after 1 s");
  await clock.advance(1);
  expect([1, 2].map(() => outcomeOf(limiter, ann))).toEqual(["allowed", "429 LMT-001 after 1 s"]);
});

test("callers have separate limits, and the limit of a tenant is shared", () => {
  const config: LimitsConfig = { perIdentity: { perSecond: 1, burst: 1 }, perTenant: { perSecond: 0.1, burst: 2 } };
  const limiter = new RequestLimiter(config, { clock: new VirtualClock() });
  expect(outcomeOf(limiter, callerOf("ann"))).toBe("allowed");
  expect(outcomeOf(limiter, callerOf("ann"))).toBe("429 LMT-001 after 1 s");
  expect(outcomeOf(limiter, callerOf("bob"))).toBe("allowed");
  expect(outcomeOf(limiter, callerOf("eve"))).toBe("429 LMT-001 after 10 s");
  expect(outcomeOf(limiter, callerOf("ann", "other"))).toBe("allowed");
  expect(outcomeOf(limiter, callerOf("ann"), "none")).toBe("allowed");
});

test("excess concurrent requests get a Retry-After until one has ended", () => {
  const limiter = new RequestLimiter({ inFlightMax: 2 }, { clock: new VirtualClock() });
  const release = limiter.acquire(callerOf("ann"), routeThat("read"));
  limiter.acquire(callerOf("bob"), routeThat("read"));
  expect(outcomeOf(limiter, callerOf("eve"))).toBe("503 SVC-002 after 1 s");
  release();
  release();
  expect(limiter.inFlight).toBe(1);
  expect(outcomeOf(limiter, callerOf("eve"))).toBe("allowed");
});

test("a rate that admits no requests is refused at startup", () => {
  const clock = new VirtualClock();
  expect(() => new RequestLimiter({ perIdentity: { perSecond: 0, burst: 1 } }, { clock })).toThrow("per_second");
  expect(() => new RequestLimiter({ perTenant: { perSecond: 1, burst: 0.5 } }, { clock })).toThrow("per_tenant.burst");
  expect(() => new RequestLimiter({ inFlightMax: 0 }, { clock })).toThrow("in_flight_max");
});

test("in any interval at most burst plus rate requests pass", () => {
  const waits = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 60 });
  const rates = fc.record({
    burst: fc.integer({ min: 1, max: 5 }),
    perSecond: fc.double({ min: 0.5, max: 5, noNaN: true }),
  });
  const holds = (steps: readonly number[], rate: Rate): boolean => {
    const buckets = new TokenBuckets(rate, "rate");
    let now = 0;
    const passed: number[] = [];
    for (const wait of steps) {
      now += wait;
      if (buckets.waitMs("k", now) > 0) continue;
      buckets.take("k", now);
      passed.push(now);
    }
    const allowed = (from: number, to: number): number => rate.burst + ((to - from) * rate.perSecond) / 1_000 + 1e-3;
    return passed.every((from, first) => {
      return passed.slice(first).every((to, more) => more + 1 <= allowed(from, to));
    });
  };
  expect(() => fc.assert(fc.property(waits, rates, holds))).not.toThrow();
});

test("a caller that waits for Retry-After is admitted", () => {
  const holds = (burst: number, perSecond: number): boolean => {
    const buckets = new TokenBuckets({ perSecond, burst }, "rate");
    for (let at = 0; at < burst; at += 1) buckets.take("k", 0);
    const wait = buckets.waitMs("k", 0);
    return wait > 0 && buckets.waitMs("k", wait) === 0;
  };
  const rate = fc.double({ min: 0.01, max: 500, noNaN: true });
  expect(() => fc.assert(fc.property(fc.integer({ min: 1, max: 50 }), rate, holds))).not.toThrow();
});

test("the number of remembered callers is bounded", () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, "rate");
  for (let at = 0; at < 12_000; at += 1) buckets.take(`caller ${at}`, at);
  expect(buckets.size).toBe(10_000);
  expect(buckets.waitMs("caller 11999", 11_999)).toBe(1_000);
});
