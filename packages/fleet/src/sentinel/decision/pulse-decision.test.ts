import { InputError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeText } from "../../resource/index.ts";
import { PulseDecision } from "./pulse-decision.ts";
import { DEFAULT_DECISION } from "./decision-expressions.ts";
import { refreshTtl } from "./refresh-ttl.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const standard = new PulseDecision(DEFAULT_DECISION);

interface ConditionParts {
  readonly status: "True" | "False";
  readonly ageMs: number;
  readonly observed?: number;
  readonly type?: string;
}

function resource(generation: number, ...parts: readonly ConditionParts[]): JsonObject {
  const conditions = parts.map(({ status, ageMs, observed = generation, type = "Reconciled" }) => {
    return { type, status, observed_generation: observed, last_updated_time: timeText(NOW - ageMs) };
  });
  return { id: "c1", kind: "Cluster", generation, status: { conditions } };
}

function decide(subject: JsonObject, decision = standard): string {
  return decision.decide({ resource: subject, now: NOW }).kind;
}

describe("the default decision", () => {
  test("pulses a resource reconciled 31 minutes ago, and not at 30 minutes", () => {
    expect(decide(resource(1, { status: "True", ageMs: 31 * MINUTE }))).toBe("pulse");
    expect(decide(resource(1, { status: "True", ageMs: 30 * MINUTE }))).toBe("skip");
    expect(decide(resource(1, { status: "True", ageMs: 30 * MINUTE + 1 }))).toBe("pulse");
  });

  test("pulses an unreconciled resource after 11 seconds, and neither after 10 nor 3", () => {
    const kinds = [11, 10, 3].map((age) => decide(resource(1, { status: "False", ageMs: age * SECOND })));
    expect(kinds).toEqual(["pulse", "skip", "skip"]);
  });

  test("pulses a resource without conditions at any generation", () => {
    expect([decide(resource(1)), decide(resource(2)), decide({ id: "c1", generation: 1 })]).toEqual(
      Array(3).fill("pulse"),
    );
  });

  test("pulses a resource reconciled at an older generation", () => {
    expect(decide(resource(3, { status: "True", ageMs: MINUTE, observed: 2 }))).toBe("pulse");
  });

  test("skips a resource with a fresh False condition", () => {
    expect(decide(resource(1, { status: "False", ageMs: SECOND }))).toBe("skip");
  });
});

test("treats a missing condition as False, not as an error", () => {
  const decision = new PulseDecision({
    params: [
      { name: "is_applied", expr: 'condition("Applied").status == "True"' },
      {
        name: "is_old",
        expr: 'is_applied && now - timestamp(condition("Applied").last_updated_time) > duration("1m")',
      },
    ],
    result: "is_applied && is_old",
  });
  expect(decision.decide({ resource: resource(1), now: NOW })).toEqual({ kind: "skip" });
});

test("a decision can test whether a condition is of the latest generation, and whether the resource is Ready", () => {
  const decision = new PulseDecision({
    params: [{ name: "isOld", expr: 'now - timestamp(condition("Ready").last_updated_time) > duration("1h")' }],
    result: 'readiness(resource) != "Ready" || !isCurrent(resource, "Available") || isOld',
  });
  const at = (ready: number, available: number): string => {
    const condition = (type: string, observed: number): ConditionParts => ({
      type,
      observed,
      status: "True",
      ageMs: MINUTE,
    });
    const subject = { ...resource(2, condition("Ready", ready), condition("Available", available)), name: "eu" };
    return decision.decide({ resource: subject, now: NOW }).kind;
  };
  expect([at(2, 2), at(1, 2), at(2, 1)]).toEqual(["skip", "pulse", "pulse"]);
});

test("an expression that fails skips the resource and reports the failed parameter", () => {
  const decision = new PulseDecision({
    params: [{ name: "size", expr: "resource.spec.size" }],
    result: "size > 3",
  });
  expect(decision.decide({ resource: resource(1), now: NOW })).toMatchObject({
    kind: "failed",
    reason: expect.stringMatching(/^param "size" evaluation failed: .*spec/),
  });
  expect(decision.decide({ resource: { spec: { size: 4 } }, now: NOW })).toEqual({ kind: "pulse" });
});

describe("an invalid decision is rejected at start", () => {
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["syntax", { params: [{ name: "a", expr: "1 +" }], result: "true" }, /param "a": 1:/],
    ["unknown name", { params: [{ name: "a", expr: "b" }], result: "true" }, /param "a": .*'b'/],
    [
      "later name",
      {
        params: [
          { name: "a", expr: "b" },
          { name: "b", expr: "1" },
        ],
        result: "true",
      },
      /param "a"/,
    ],
    [
      "twice",
      {
        params: [
          { name: "a", expr: "1" },
          { name: "a", expr: "2" },
        ],
        result: "true",
      },
      /param "a": duplicate name/,
    ],
    ["reserved name", { params: [{ name: "now", expr: "1" }], result: "true" }, /param "now": is a reserved name/],
    ["no name", { params: [{ name: "a b", expr: "1" }], result: "true" }, /params\[0\].name/],
    ["empty", { params: [{ name: "a", expr: " " }], result: "true" }, /param "a": expr is empty/],
    ["result", { params: [], result: "resource.(" }, /result: 1:/],
    ["empty result", { params: [], result: "" }, /result: is empty/],
    ["no bool", { params: [], result: "1 + 1" }, /result: must be a bool, not int/],
    ["bad duration", { params: [], result: 'now - now > duration("x")' }, /result: .*duration/],
  ];
  test.each(cases)("%s", (_, texts, message) => {
    const make = (): unknown => new PulseDecision(texts as ConstructorParameters<typeof PulseDecision>[0]);
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });
});

/** Returns the first of the next milliseconds at which a decision is true. */
function scanned(decision: PulseDecision, subject: JsonObject, withinMs: number): number | undefined {
  for (let now = NOW + 1; now <= NOW + withinMs; now++) {
    if (decision.decide({ resource: subject, now }).kind === "pulse") return now;
  }
  return undefined;
}

describe("the time when a decision becomes true", () => {
  test("is one millisecond after the TTL for the default decision", () => {
    const next = (parts: ConditionParts): unknown => standard.next({ resource: resource(1, parts), now: NOW });
    expect(next({ status: "True", ageMs: MINUTE })).toEqual({ kind: "at", time: NOW + 29 * MINUTE + 1 });
    expect(next({ status: "False", ageMs: SECOND })).toEqual({ kind: "at", time: NOW + 9 * SECOND + 1 });
    expect(next({ status: "False", ageMs: MINUTE })).toEqual({ kind: "at", time: NOW + 1 });
  });

  test("is unknown where the use of now cannot be analyzed", () => {
    for (const result of [
      "now.getSeconds() > 3",
      'resource.status.conditions.exists(c, now - timestamp(c.last_updated_time) > duration("5s"))',
      'string(now) > "2026"',
    ]) {
      expect(new PulseDecision({ params: [], result }).next({ resource: resource(1), now: NOW })).toEqual({
        kind: "unknown",
      });
    }
  });

  test("is found for names with a leading dot, and not after the latest timestamp", () => {
    const dotted = new PulseDecision({ params: [], result: '.now > timestamp("2026-01-01T13:00:00Z")' });
    expect(dotted.next({ resource: {}, now: NOW })).toEqual({ kind: "at", time: NOW + 60 * MINUTE + 1 });
    const last = new PulseDecision({ params: [], result: 'now > timestamp("9999-12-31T23:59:59.999Z")' });
    expect(last.next({ resource: {}, now: NOW })).toEqual({ kind: "never" });
  });

  test("is never where now is not used", () => {
    const decision = new PulseDecision({ params: [], result: "resource.generation > 5" });
    expect(decision.next({ resource: resource(1), now: NOW })).toEqual({ kind: "never" });
  });

  test("is the first one that a scan finds, for any combination of comparisons with now", () => {
    const ms = fc.integer({ min: 0, max: 20 });
    const side = fc.oneof(
      ms.map((d) => `now - timestamp(condition("A").last_updated_time) OP duration("${d}ms")`),
      ms.map((d) => `duration("${d}ms") OP now - timestamp(condition("B").last_updated_time)`),
      ms.map((d) => `now OP timestamp(condition("A").last_updated_time) + duration("${d}.5ms")`),
      ms.map((d) => `now - duration("${d}ms") OP timestamp(condition("B").last_updated_time)`),
      ms.map((d) => `age OP duration("${d}ms")`),
      ms.map((d) => `age + age OP duration("${d}ms")`),
      ms.map((d) => `age OP (is_a ? duration("${d}ms") : duration("3ms"))`),
      fc.constant("is_a"),
      fc.constant("is_young"),
    );
    const operator = fc.constantFrom("<", "<=", ">", ">=", "==", "!=");
    const comparison = fc.tuple(side, operator).map(([text, op]) => text.replace("OP", op));
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 3 },
        comparison,
        fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a}) && (${b})`),
        fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a}) || (${b})`),
        tie("expression").map((a) => `!(${a})`),
        fc.tuple(comparison, tie("expression"), tie("expression")).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
      ),
    }));
    const age = fc.integer({ min: -15, max: 15 });
    fc.assert(
      fc.property(expression, age, age, fc.boolean(), (result, ageA, ageB, isA) => {
        const decision = new PulseDecision({
          params: [
            { name: "age", expr: 'now - timestamp(condition("A").last_updated_time)' },
            { name: "is_a", expr: 'condition("A").status == "True"' },
            { name: "is_young", expr: 'age < duration("7ms")' },
          ],
          result,
        });
        const subject = resource(
          1,
          { type: "A", status: isA ? "True" : "False", ageMs: ageA },
          { type: "B", status: "True", ageMs: ageB },
        );
        const time = scanned(decision, subject, 60);
        const next = decision.next({ resource: subject, now: NOW });
        expect(next).toEqual(time === undefined ? { kind: "never" } : { kind: "at", time });
      }),
      { numRuns: 200 },
    );
  });
});

describe("the TTLs of a decision", () => {
  const ttl = (result: string): unknown => {
    return refreshTtl([{ decision: new PulseDecision({ params: [], result }), pollIntervalMs: 5_000 }]);
  };

  test("are those of the default decision", () => {
    expect(refreshTtl([{ decision: standard, pollIntervalMs: 5_000 }])).toEqual({
      readyMs: 30 * MINUTE,
      notReadyMs: 10 * SECOND,
    });
  });

  test("are found in other decisions on readiness, under either name", () => {
    const age = 'now - timestamp(condition("Ready").last_updated_time)';
    expect(ttl(`${age} > (condition("Ready").status == "True" ? duration("1h") : duration("3s"))`)).toEqual({
      readyMs: 60 * MINUTE,
      notReadyMs: 3_000,
    });
  });

  test("are a day where time alone makes nothing due, and the poll interval where they depend on the resource", () => {
    const day = 24 * 60 * MINUTE;
    expect(ttl('resource.generation > condition("Ready").observed_generation')).toEqual({
      readyMs: day,
      notReadyMs: day,
    });
    expect(ttl('resource.labels.slow != "yes"')).toEqual({ readyMs: 5_000, notReadyMs: 5_000 });
    expect(ttl("true")).toEqual({ readyMs: 5_000, notReadyMs: 5_000 });
  });

  test("hold for every generation", () => {
    const age = 'now - timestamp(condition("Ready").last_updated_time)';
    expect(ttl(`resource.generation == 5 ? ${age} > duration("2s") : ${age} > duration("1h")`)).toEqual({
      readyMs: 2_000,
      notReadyMs: 2_000,
    });
  });

  test("are not derived from fields other than the age of the reports", () => {
    const since = 'now - timestamp(condition("Ready").last_transition_time)';
    expect(ttl(`${since} > duration("1h")`)).toEqual({ readyMs: 5_000, notReadyMs: 5_000 });
  });

  test("are the shortest of all rules", () => {
    const slow = new PulseDecision({
      params: [],
      result: 'now - timestamp(condition("Ready").last_updated_time) > duration("20s")',
    });
    const rules = [standard, slow].map((decision) => ({ decision, pollIntervalMs: 5_000 }));
    expect(refreshTtl(rules)).toEqual({ readyMs: 20_000, notReadyMs: 10_000 });
  });
});
