import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combineResults, describeResult, fail, ok, requeueAfter, terminal, wait } from "../index.ts";
import type { AnyResult } from "../index.ts";

const RANK = ["ok", "wait", "requeueAfter", "terminal", "fail"];
const result: fc.Arbitrary<AnyResult> = fc.oneof(
  fc.constant(ok()),
  fc.constant(wait("w")),
  fc.nat(1_000).map((ms) => requeueAfter("r", ms)),
  fc.constant(terminal("t")),
  fc.constant(fail("f")),
);

describe("combined results", () => {
  test("are as severe as the most severe one, whatever the order", () => {
    fc.assert(
      fc.property(fc.array(result), (results) => {
        const most = Math.max(0, ...results.map(({ kind }) => RANK.indexOf(kind)));
        expect(combineResults(results).kind).toBe(RANK[most]);
        expect(combineResults(results.toReversed()).kind).toBe(RANK[most]);
      }),
    );
  });

  test("use the shortest of several requeue delays and give the reasons of all", () => {
    expect(combineResults([requeueAfter("slow", 900), wait("x"), requeueAfter("fast", 100)])).toMatchObject({
      afterMs: 100,
      reason: "slow; fast",
    });
  });

  test("keep every error, also those of lower severity", () => {
    const combined = combineResults([terminal("first"), fail("second"), ok(), fail("third")]);
    expect(describeResult(combined)).toBe("first; second; third");
    expect(combined).toMatchObject({
      kind: "fail",
      error: { errors: [{ message: "first" }, { message: "second" }, { message: "third" }] },
    });
  });

  test("of one error keep that error itself", () => {
    const error = new Error("alone");
    expect(combineResults([ok(), fail(error)])).toMatchObject({ kind: "fail", error });
  });

  test("of one error keep its options", () => {
    const error = terminal("full", { reason: "BackoffLimitExceeded" });
    expect(combineResults([wait("x", { severity: "Error" }), error, ok()])).toEqual(error);
  });
});

test("each result has a message", () => {
  expect([ok(), wait("a"), requeueAfter("b", 1), fail("c"), terminal("d")].map(describeResult)).toEqual([
    "",
    "a",
    "b",
    "c",
    "d",
  ]);
});
