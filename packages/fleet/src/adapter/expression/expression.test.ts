import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ExpressionCompiler } from "./index.ts";
import type { EvaluationResult, Expression } from "./index.ts";

const NOW = Date.parse("2027-01-15T08:00:00.750Z");
const NAMES = new Set(["adapter", "resources", "conditions", "x"]);
const compiler = new ExpressionCompiler(() => NOW);

function compile(text: string): Expression {
  const compiled = compiler.compile(text, NAMES);
  if (typeof compiled === "string") throw new TypeError(compiled);
  return compiled;
}

function value(text: string, known: Parameters<Expression["evaluate"]>[0] = {}): unknown {
  const result: EvaluationResult = compile(text).evaluate(known);
  return result.kind === "value" ? result.value : "absent";
}

const CONDITIONS = [
  { type: "Ready", status: "True", last_transition_time: "2027-01-15T07:58:20Z" },
  { type: "Health", status: "False" },
  { type: "Odd", last_transition_time: "yesterday" },
];

describe("adapter functions", () => {
  test.each([
    ["now()", "2027-01-15T08:00:00Z"],
    ["conditionStatus(conditions, 'Ready')", "True"],
    ["conditionStatus(conditions, 'Odd')", "Unknown"],
    ["conditionStatus(conditions, 'None')", "Unknown"],
    ["conditionAge(conditions, 'Ready')", 100],
    ["conditionAge(conditions, 'Health')", -1],
    ["conditionAge(conditions, 'Odd')", -1],
    ["stableFor(conditions, 'Ready', 100)", true],
    ["stableFor(conditions, 'Ready', 101)", false],
    ["stableFor(conditions, 'Health', 0)", false],
    ["stableFor(conditions, 'None', 0)", false],
    ["triState(true, true)", "True"],
    ["triState(false, true)", "False"],
    ["triState(false, false)", "Unknown"],
    ["dig(x, 'a.0.b')", 5],
    ["toJson(x)", '{"a":[{"b":5}]}'],
    ["x.?a[?0].?b.orValue(1) + 1", 6],
    ["['b', 'a'].sort().join(',')", "a,b"],
  ])("%s gives %j", (text, expected) => {
    expect(value(text, { conditions: CONDITIONS, x: { a: [{ b: 5 }] } })).toEqual(expected);
  });

  describe("with an object", () => {
    const thing = (generation: number, observedGeneration: number | undefined): JsonObject => ({
      apiVersion: "x.dev/v1",
      kind: "Thing",
      metadata: { name: "a", generation },
      status: {
        ...(observedGeneration === undefined ? {} : { observedGeneration }),
        conditions: [{ type: "Ready", status: "True" }],
      },
    });

    test.each<[string, JsonObject, string]>([
      ["whose status is current", thing(2, 2), "True"],
      ["whose status is of an older generation", thing(2, 1), "Unknown"],
      ["whose status is of a newer generation", thing(2, 3), "Unknown"],
      ["whose status has no generation", thing(2, undefined), "True"],
      ["that is missing", {}, "Unknown"],
    ])("%s, conditionStatus and triState respect its generation", (_, x, expected) => {
      expect(value("conditionStatus(x, 'Ready')", { x })).toBe(expected);
      const isReady = "x.?status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')";
      expect(value(`triState(x, ${isReady}, false)`, { x })).toBe(expected);
    });

    test("conditionStatus uses the condition's own generation where the status has none", () => {
      const condition = (type: string, observedGeneration: number): JsonObject => ({
        type,
        status: "True",
        observedGeneration,
      });
      const gateway = {
        kind: "Gateway",
        metadata: { name: "g", generation: 2 },
        status: { conditions: [condition("Accepted", 2), condition("Programmed", 1)] },
      };
      expect(value("conditionStatus(x, 'Accepted')", { x: gateway })).toBe("True");
      expect(value("conditionStatus(x, 'Programmed')", { x: gateway })).toBe("Unknown");
    });

    test("an unfinished Job is Unknown, whatever the arguments", () => {
      const running = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, status: { active: 1 } };
      expect(value("triState(x, false, true)", { x: running })).toBe("Unknown");
      const failed = { ...running, status: { conditions: [{ type: "Failed", status: "True" }] } };
      expect(value("triState(x, false, conditionStatus(x, 'Failed') == 'True')", { x: failed })).toBe("False");
    });

    test("a fleet resource is treated like an object", () => {
      const resource = (observed: number): JsonObject => ({
        kind: "Cluster",
        name: "eu",
        generation: 2,
        status: { conditions: [{ type: "Available", status: "True", observed_generation: observed }] },
      });
      expect(value("conditionStatus(x, 'Available')", { x: resource(2) })).toBe("True");
      expect(value("conditionStatus(x, 'Available')", { x: resource(1) })).toBe("Unknown");
    });
  });

  describe("isFresh", () => {
    const adapter = { name: "dns", version: "1" };
    const status = (more: JsonObject = {}): JsonObject => ({
      adapter: "dns",
      observed_generation: 2,
      last_report_time: "2027-01-15T07:50:00Z",
      conditions: [{ type: "Available", status: "True" }],
      ...more,
    });
    const isFresh = (x: JsonValue, known: JsonObject = {}, resource: JsonObject = { generation: 2 }): unknown =>
      value("isFresh(x, resources, duration('30m'))", { x, resources: resource, adapter, ...known });

    test("is true while this adapter's last report of this generation is True and younger than the TTL", () => {
      expect(isFresh([status()])).toBe(true);
      expect(isFresh({ items: [{ ...status(), adapter: "other" }, status()] })).toBe(true);
    });

    test.each<[string, JsonValue]>([
      ["no report", []],
      ["a report of another adapter", [status({ adapter: "other" })]],
      ["a report that is as old as the TTL", [status({ last_report_time: "2027-01-15T07:30:00.750Z" })]],
      ["a report of an older generation", [status({ observed_generation: 1 })]],
      ["Available False", [status({ conditions: [{ type: "Available", status: "False" }] })]],
      ["a report without a time", [status({ last_report_time: "" })]],
      [
        "newer work in progress",
        [status({ progress: { observed_generation: 2, conditions: [{ type: "Available", status: "Unknown" }] } })],
      ],
      ["no page of statuses", "text"],
    ])("is false with %s", (_, statuses) => {
      expect(isFresh(statuses)).toBe(false);
    });

    test("is false during deletion and for runs triggered by a change of an applied object", () => {
      expect(isFresh([status()], {}, { generation: 2, deleted_time: "2027-01-15T07:55:00Z" })).toBe(false);
      expect(isFresh([status()], { adapter: { ...adapter, trigger: "change" } })).toBe(false);
    });
  });

  test("statusFeedbackValue returns the value of a feedback rule", () => {
    const feedback = {
      values: [
        { name: "phase", fieldValue: { type: "String", string: "Active" } },
        { name: "count", fieldValue: { type: "Integer", integer: 3 } },
      ],
    };
    expect(value("statusFeedbackValue(x, 'phase')", { x: feedback })).toBe("Active");
    for (const name of ["count", "none"]) {
      expect(value(`statusFeedbackValue(x, '${name}')`, { x: feedback })).toBe("");
    }
    expect(value("statusFeedbackValue(x, 'phase')", { x: "text" })).toBe("");
  });
});

describe("what is not there", () => {
  test.each(["resources.job.status", "x.a.b", "adapter.none", "x[3]"])("%s is absent, and does not hold", (text) => {
    const known = { resources: {}, x: { a: null }, adapter: {} };
    expect(value(text, known)).toBe("absent");
    expect(compile(text).holds(known)).toBe(false);
  });

  test.each(["x.a + 1", "1 / x.zero", "int(x.a)", "x.a.b.c"])("%s is an error, not absent", (text) => {
    const known = { x: { a: "text", zero: 0 } };
    expect(() => compile(text).evaluate(known)).toThrow(JSON.stringify(text));
    expect(() => compile(text).holds(known)).toThrow("in the expression");
  });
});

test.each([
  ["x", true, true],
  ["x", "text", true],
  ["x", "", false],
  ["x", [], false],
  ["x", { a: 1 }, true],
  ["x", 0, true],
  ["x", null, false],
  ["x", false, false],
])("%s holds with %j: %s", (text, x, expected) => {
  expect(compile(text).holds({ x })).toBe(expected);
});

test.each([
  ["unheard.of", "1:1: undeclared reference to 'unheard'"],
  ["x ==", "1:"],
  ["lower(x)", "lower"],
  ["duration('x')", "duration"],
])("%s is rejected at compile time", (text, message) => {
  expect(compiler.compile(text, NAMES)).toEqual(expect.stringContaining(message));
});

test("an expression over the cost limit is aborted with an error", () => {
  const known = { x: Array.from({ length: 2_000 }, (_, n) => n) };
  expect(() => value("x.map(a, x.map(b, a + b).size()).size()", known)).toThrow(/cost limit/u);
});
