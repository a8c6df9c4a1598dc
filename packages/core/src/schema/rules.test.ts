import { describe, expect, test } from "vitest";
import { CEL_COST_LIMIT, CEL_INT, celEnvironment, listType } from "../cel/index.ts";
import { kind } from "../kind/index.ts";
import { checkRules, compileRules, s } from "./index.ts";
import type { AnySchema } from "./index.ts";

/** Returns the errors of a value, and on updates those against the old value. */
function errors(schema: AnySchema, value: unknown, old?: unknown): readonly string[] {
  const { rules, issues } = compileRules(schema.structural);
  expect(issues).toEqual([]);
  if (rules === undefined) throw new Error("there are no rules");
  return checkRules(rules, value, old, "spec").map(({ field, message }) => `${field}: ${message}`);
}

describe("rules in CEL", () => {
  const range = s
    .object({ min: s.int32(), max: s.int32(), note: s.string().optional() })
    .rule("self.min <= self.max", "min is above max");

  test("report their message and path", () => {
    expect(errors(range, { min: 1, max: 2 })).toEqual([]);
    expect(errors(range, { min: 3, max: 2 })).toEqual(["spec: Invalid value: min is above max"]);
  });

  test("without a message name the expression", () => {
    expect(errors(s.int32().rule("self % 2 == 0"), 3)).toEqual(["spec: Invalid value: 3: failed rule: self % 2 == 0"]);
  });

  test("may have a message expression, a reason and a field path", () => {
    const schema = s.object({ size: s.int32() }).rule("self.size < 10", {
      messageExpression: '"size " + string(self.size) + " is too large"',
      reason: "FieldValueForbidden",
      fieldPath: ".size",
    });
    expect(errors(schema, { size: 12 })).toEqual(["spec.size: Forbidden: size 12 is too large"]);
  });

  test("distinguish integers and doubles by the schema, and know optional fields", () => {
    const schema = s
      .object({ count: s.int32(), ratio: s.number(), name: s.string().optional() })
      .rule("self.count / 2 == 1 && self.ratio / 2.0 == 1.5 && (!has(self.name) || self.name.startsWith('a'))");
    expect(errors(schema, { count: 3, ratio: 3 })).toEqual([]);
    expect(errors(schema, { count: 3, ratio: 3, name: "b" })).toHaveLength(1);
  });

  test("on items and map values are evaluated for each of them", () => {
    const list = s.array(s.string().rule("self.size() > 1", "too short"));
    expect(errors(list, ["ab", "c", "d"])).toEqual([
      'spec[1]: Invalid value: "c": too short',
      'spec[2]: Invalid value: "d": too short',
    ]);
    expect(errors(s.map(s.int32().rule("self > 0", "must be positive")), { a: 1, b: -1 })).toEqual([
      "spec.b: Invalid value: -1: must be positive",
    ]);
  });

  test("names that are not identifiers are escaped", () => {
    const schema = s
      .object({ "a-b": s.int32(), "c.d": s.int32(), if: s.int32() })
      .rule("self.a__dash__b + self.c__dot__d + self.__if__ == 6");
    expect(errors(schema, { "a-b": 1, "c.d": 2, if: 3 })).toEqual([]);
  });
});

describe("transition rules", () => {
  const schema = s.object({
    region: s.string().immutable(),
    replicas: s.int32().rule("self >= oldSelf", "may only grow"),
    ports: s
      .array(s.object({ name: s.string(), port: s.int32().immutable() }))
      .keyedBy("name")
      .max(9)
      .optional(),
    tags: s.map(s.string().max(9).immutable()).max(9).optional(),
  });

  test("are evaluated on updates only", () => {
    expect(errors(schema, { region: "a", replicas: 1 })).toEqual([]);
    expect(errors(schema, { region: "b", replicas: 1 }, { region: "a", replicas: 2 })).toEqual([
      'spec.region: Invalid value: "b": field is immutable',
      "spec.replicas: Invalid value: 1: may only grow",
    ]);
  });

  test("correlate items of a keyed list and entries of a map by key", () => {
    const same = { region: "a", replicas: 1 };
    const old = {
      ...same,
      ports: [
        { name: "x", port: 1 },
        { name: "y", port: 2 },
      ],
      tags: { a: "1" },
    };
    const now = {
      ...same,
      ports: [
        { name: "y", port: 3 },
        { name: "z", port: 9 },
      ],
      tags: { a: "2", b: "3" },
    };
    expect(errors(schema, now, old)).toEqual([
      "spec.ports[0].port: Invalid value: 3: field is immutable",
      'spec.tags.a: Invalid value: "2": field is immutable',
    ]);
  });

  test("may use an optional oldSelf", () => {
    const optional = s
      .int32()
      .rule("!oldSelf.hasValue() || oldSelf.value() <= self", { optionalOldSelf: true, message: "shrinks" });
    expect(errors(optional, 3)).toEqual([]);
    expect(errors(optional, 3, 5)).toEqual(["spec: Invalid value: 3: shrinks"]);
  });
});

describe("an invalid rule", () => {
  const issuesOf = (schema: AnySchema): readonly string[] =>
    compileRules(s.object({ field: schema }).structural).issues.map(({ path, message }) => `${path}: ${message}`);

  test.each([
    [s.int32().rule("self +"), /^field\.x-kubernetes-validations\[0\]\.rule: column \d+: /u],
    [s.int32().rule("self.name == 'x'"), /rule: column \d+: /u],
    [s.int32().rule("self + 1"), /must evaluate to a bool, not int/u],
    [s.int32().rule("other > 1"), /undeclared reference to 'other'/u],
    [s.any().rule("self == 1"), /the type of this value is unknown/u],
    [s.int32().rule("self > 1", { messageExpression: "nope" }), /messageExpression: undeclared reference/u],
    [
      s.int32().rule("self > 1", { messageExpression: "self" }),
      /messageExpression: must evaluate to a string, not int/u,
    ],
    [
      s.array(s.string()).rule("self.size() > 1", { messageExpression: "self.map(a, a + a)[0]" }),
      /messageExpression: estimated cost exceeds the limit by a factor of more than 100/u,
    ],
    [s.array(s.int32().immutable()).max(3), /oldSelf is not available here: .* use \.keyedBy\(\)/u],
    [
      s.array(s.int32()).max(2_000).rule("self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"),
      /estimated cost exceeds the limit by a factor of more than 100/u,
    ],
  ])("is reported with its path (%#)", (schema, pattern) => {
    expect(issuesOf(schema)).toEqual([expect.stringMatching(pattern)]);
  });

  test("is rejected with the kind that declares it", () => {
    const declare = (): unknown =>
      kind({ group: "x.dev", version: "v1", kind: "Thing", spec: s.object({ a: s.int32() }).rule("self.b > 1") });
    expect(declare).toThrow(/^Thing: spec\.x-kubernetes-validations\[0\]\.rule: column \d+: .*b/u);
  });
});

test("an evaluation over the cost limit is stopped with an error", () => {
  const numbers = Array.from({ length: 2_000 }, (_, index) => index);
  const compiled = celEnvironment({ variables: { self: listType(CEL_INT) } }).compile(
    "self.all(a, self.all(b, a + b >= 0))",
  );
  if (compiled.kind !== "program") throw new Error("it compiles");
  const result = compiled.program.evaluate({ self: numbers });
  expect(result).toMatchObject({ kind: "error", error: { message: expect.stringContaining("cost limit exceeded") } });
  expect(result.cost).toBeLessThan(2 * CEL_COST_LIMIT);
});
