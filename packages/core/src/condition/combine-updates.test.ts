import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combineConditionUpdates, joinMessages } from "./combine-updates.ts";
import type { ConditionUpdate } from "./condition.ts";
import { severityRank } from "./ready.ts";

const message = fc.string({ unit: "grapheme-composite", maxLength: 8 });
const update: fc.Arbitrary<ConditionUpdate> = fc.record(
  {
    type: fc.constant("Main"),
    status: fc.constantFrom("True", "False", "Unknown"),
    severity: fc.constantFrom("Error", "Warning", "Info"),
    reason: fc.constantFrom("Error", "Requested"),
    message,
  },
  { requiredKeys: ["type", "status", "reason", "message"] },
);

describe("updates of one condition", () => {
  test("combine to the severity of the worst one, whatever their order", () => {
    fc.assert(
      fc.property(update, update, (a, b) => {
        const worst = Math.min(severityRank(a), severityRank(b));
        expect(severityRank(combineConditionUpdates(a, b))).toBe(worst);
        expect(severityRank(combineConditionUpdates(b, a))).toBe(worst);
      }),
    );
  });

  test("that are equally bad show both messages, in order, and adding one again changes nothing", () => {
    fc.assert(
      fc.property(update, update, (a, b) => {
        fc.pre(severityRank(a) === severityRank(b) && a.status !== "True");
        const both = combineConditionUpdates(a, b);
        for (const one of [a, b]) expect(both.message).toContain(one.message);
        expect(both).toEqual({ ...a, message: both.message });
        expect(combineConditionUpdates(both, b)).toEqual(both);
      }),
    );
  });

  test("replace the initial state, which has no message to keep", () => {
    const initial: ConditionUpdate = { type: "Main", status: "Unknown", reason: "Init", message: "not checked yet" };
    const added: ConditionUpdate = { type: "Main", status: "Unknown", reason: "Lost", message: "no response" };
    expect(combineConditionUpdates(initial, added)).toEqual(added);
  });
});

describe("joined messages", () => {
  test("have each text once, in their order", () => {
    expect(joinMessages(["b is down", "a is down", "b is down", ""], 100)).toBe("b is down; a is down");
    expect(joinMessages(["a", "b; a; c"], 100)).toBe("b; a; c");
    expect(joinMessages(["a", "aa"], 100)).toBe("a; aa");
  });

  test("stay within their limit, and a long one does not hide another", () => {
    expect(joinMessages(["x".repeat(50), "short"], 20)).toBe("xxxxxxxx…; short");
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 0, max: 30 }), (messages, max) => {
        const joined = joinMessages(messages, max);
        expect(joined.length).toBeLessThanOrEqual(max);
        expect(joined.isWellFormed()).toBe(true);
      }),
    );
  });
});
