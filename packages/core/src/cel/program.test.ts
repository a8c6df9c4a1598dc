import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelStruct, celEnvironment, celLibraries, celToJson, celType } from "./index.ts";
import type { CelBindings, CelResult, CompileOptions, EvaluateOptions } from "./index.ts";
import type { JsonObject } from "../json/index.ts";

const OPEN = celEnvironment({ libraries: celLibraries.all });
const UNCHECKED: CompileOptions = { mode: "unchecked" };

function run(text: string, bindings: CelBindings = {}, options: EvaluateOptions = {}): CelResult {
  const compiled = OPEN.compile(text, UNCHECKED);
  if (compiled.kind === "issues") throw new Error(compiled.issues.map((issue) => issue.text).join("\n"));
  return compiled.program.evaluate(bindings, options);
}

function value(text: string, bindings: CelBindings = {}): unknown {
  const result = run(text, bindings);
  return result.kind === "value" ? celToJson(result.value) : `error: ${result.error.message}`;
}

describe("the expressions of the proposal", () => {
  const AVAILABLE = `self.items.all(i, 
    i.observed_generation == self.items[0].observed_generation && 
    i.conditions.exists(c, c.type == 'Available' && c.status == 'True')
  )`;
  const READY = "available && self.items.all(i, i.observed_generation == generationN)";
  const report = (generation: number, status: string): JsonObject => ({
    observed_generation: generation,
    conditions: [
      { type: "Applied", status: "True" },
      { type: "Available", status },
    ],
  });

  test("available: all adapters report it, at one generation", () => {
    expect(value(AVAILABLE, { self: { items: [report(2, "True"), report(2, "True")] } })).toBe(true);
    expect(value(AVAILABLE, { self: { items: [report(2, "True"), report(1, "True")] } })).toBe(false);
    expect(value(AVAILABLE, { self: { items: [report(2, "True"), report(2, "False")] } })).toBe(false);
    expect(value(AVAILABLE, { self: { items: [] } })).toBe(true);
  });

  test("ready: available at the generation that was asked for", () => {
    const self = { items: [report(2, "True")] };
    expect(value(READY, { self, available: true, generationN: 2 })).toBe(true);
    expect(value(READY, { self, available: true, generationN: 3 })).toBe(false);
    expect(value(READY, { self, available: false, generationN: 2 })).toBe(false);
  });
});

describe("|| and && absorb errors", () => {
  const SIDES = ["true", "false", "(1/0 > 0)", "'text'"];
  const isError = (side: string): boolean => side !== "true" && side !== "false";
  const kind = (text: string): unknown => {
    const result = run(text);
    return result.kind === "value" ? result.value : "error";
  };

  test.each(SIDES.flatMap((a) => SIDES.map((b) => [a, b] as const)))("%s and %s", (a, b) => {
    const sides = [a, b];
    expect(kind(`${a} || ${b}`)).toBe(sides.includes("true") || (sides.some(isError) ? "error" : false));
    expect(kind(`${a} && ${b}`)).toBe(!sides.includes("false") && (sides.some(isError) ? "error" : true));
  });

  test("so do all and exists, in any order of the elements", () => {
    expect(value("[0, 1, 2].exists(x, 2 / x == 1)")).toBe(true);
    expect(value("[0, 1].exists(x, 2 / x == 1)")).toBe("error: division by zero");
    expect(value("[0, 3].all(x, 2 / x == 1)")).toBe(false);
    expect(value("[0, 2].all(x, 2 / x == 1)")).toBe("error: division by zero");
  });

  test("the first error of a chain is reported", () => {
    expect(value("a.b == 1 || 1/0 == 1 || c", { a: {}, c: false })).toBe("error: no such key: b");
  });
});

describe("errors", () => {
  test("have a location", () => {
    const result = run("1 == 1 &&\n  items[7].name == 'x'", { items: [] });
    expect(result.kind === "error" && result.error.text).toBe(
      "ERROR: <input>:2:8: index out of bounds: 7\n |   items[7].name == 'x'\n | .......^",
    );
  });

  test.each([
    ["9223372036854775807 + 1", "integer overflow"],
    ["-(-9223372036854775808)", "integer overflow"],
    ["0u - 1u", "unsigned integer overflow"],
    ["{'a': 1, 'a': 2}", "Failed with repeated key: a"],
    ["{1.5: 1}", "unsupported key type: double"],
    ["absent", "undeclared reference to 'absent': no such attribute"],
    ["f(1)", "unbound function: f"],
    ["'a' + 1", "no such overload: _+_(string, int)"],
    ["[3, 'a'].sort()", "no such overload: sort(int, string)"],
    ["optional.none().value()", "optional.none() dereference"],
    ["'a'.matches('(')", "invalid regular expression: error parsing regexp: missing closing ): `(`"],
  ])("%s gives %s", (text, message) => {
    expect(value(text)).toBe(`error: ${message}`);
  });
});

test("invalid literals are rejected with literals: validate", () => {
  const messageOf = (text: string, literals: "accept" | "validate"): string => {
    const compiled = OPEN.compile(text, { literals });
    return compiled.kind === "issues" ? compiled.issues.map(({ message }) => message).join() : "compiled";
  };
  for (const text of [
    "duration('x') > duration('1s')",
    "['a'].exists(a, a.matches('('))",
    "quantity('1') == quantity('x')",
  ]) {
    expect(messageOf(text, "accept")).toBe("compiled");
    expect(messageOf(text, "validate")).toMatch(/^(?:invalid|quantities must)/);
  }
  expect(messageOf("duration('1h') > duration('1s') && 'a'.matches('a+')", "validate")).toBe("compiled");
});

describe("keys are data", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "%s is only there if it is there",
    (key) => {
      const given: CelBindings = { x: JSON.parse(`{${JSON.stringify(key)}: 1}`) };
      expect(value(`has(x.${key})`, { x: {} })).toBe(false);
      expect(value(`x.${key}`, { x: {} })).toBe(`error: no such key: ${key}`);
      expect(value(`'${key}' in x`, { x: {} })).toBe(false);
      expect(value(`x.${key}`, given)).toBe(1);
      expect(value(`has(x.${key})`, given)).toBe(true);
      expect(value(`{'${key}': 2}.${key}`)).toBe(2);
      expect(value(key)).toContain("no such attribute");
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    },
  );
});

describe("bounds", () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index);

  test("nested folds over a large list stop at the limit, whatever is around them", () => {
    const nested = "x.all(a, x.all(b, x.all(c, a + b + c >= 0)))";
    for (const text of [nested, `${nested} || true`, `!(${nested}) || x.exists(y, ${nested})`]) {
      const result = run(text, { x: list });
      expect(result.kind === "error" && result.error.message).toBe(
        "cost limit exceeded: the evaluation costs more than 1000000",
      );
    }
    expect(run("x.all(a, a >= 0)", { x: list }, { costLimit: 10_000 }).kind).toBe("value");
  });

  test("growing strings and lists is charged", () => {
    const doubling = Array.from({ length: 40 }, (_, i) => `cel.bind(s${i + 1}, s${i} + s${i}, `).join("");
    for (const start of ["'0123456789'", "[1, 2, 3]"]) {
      const result = run(`cel.bind(s0, ${start}, ${doubling}size(s40)${")".repeat(41)}`);
      expect(result.kind === "error" && result.error.message).toContain("cost limit exceeded");
    }
  });

  test("walking values with shared parts is limited", () => {
    const tower = (name: string): string =>
      Array.from({ length: 60 }, (_, i) => `cel.bind(${name}${i + 1}, [${name}${i}, ${name}${i}], `).join("");
    const inside = (body: string): string =>
      `cel.bind(s0, [], cel.bind(t0, [], ${tower("s")}${tower("t")}${body}${")".repeat(122)}`;
    for (const body of [
      "s60 == t60",
      "s60 in [t60]",
      "'%s'.format([s60])",
      "s60.flatten(100)",
      "sets.contains([s60], [t60])",
      "[s60].indexOf(t60)",
      "[s60, t60].distinct()",
    ]) {
      const result = run(inside(body));
      expect([body, result.kind === "error" && result.error.message]).toEqual([
        body,
        "cost limit exceeded: the evaluation costs more than 1000000",
      ]);
    }
    const huge = run(inside("s60"));
    if (huge.kind === "error") throw new Error(huge.error.message);
    expect(() => celToJson(huge.value)).toThrow("the value is too large");
  });

  test("the size of types is limited", () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `cel.bind(s${i + 1}, {s${i}: s${i}}, `).join("");
    const compiled = OPEN.compile(`cel.bind(s0, {1: 1}, ${doubling}s60${")".repeat(61)}`);
    expect(compiled.kind).toBe("issues");
  });

  test("a signal cancels the evaluation", () => {
    let requested = 0;
    const signal = {
      get aborted(): boolean {
        requested += 1;
        return requested > 3;
      },
    };
    const result = run("x.all(a, x.all(b, a + b >= 0))", { x: list }, { signal });
    expect(result.kind === "error" && result.error.message).toMatch(/^evaluation cancelled after a cost of 4\d{3}$/);
  });

  test("a pattern that takes others exponential time takes linear time", () => {
    // Exponential time would not end.
    expect(value("t.matches('^(a+)+$')", { t: `${"a".repeat(10_000)}!` })).toBe(false);
  });

  test("a program can be evaluated from within its own evaluation", () => {
    const compiled = OPEN.compile("x.map(i, i.n).size() + x[0].n", UNCHECKED);
    if (compiled.kind === "issues") throw new Error("it compiles");
    class Inner extends CelStruct {
      readonly celType = celType.struct("Inner");
      get(): number {
        const result = compiled.kind === "program" ? compiled.program.evaluate({ x: [{ n: 5 }] }) : undefined;
        return result?.kind === "value" && typeof result.value === "number" ? result.value : -1;
      }
      has(): boolean {
        return true;
      }
    }
    const result = compiled.program.evaluate({ x: [new Inner(), new Inner()] });
    expect(result).toMatchObject({ kind: "value", value: 8 });
  });
});

test("no expression throws", () => {
  const words =
    "( ) [ ] { } . .? [? ? : , + - ! && || == < in 'a' b'x' 1 2u 3.5 x y x.all(i, x.map(i, size( type( has(x.y) true null optional.of( matches( %".split(
      " ",
    );
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(" "));
  const data = fc.constantFrom<CelBindings>(
    {},
    { x: [1, 2.5, "a"] },
    { x: { y: { z: null } } },
    { x: "text", y: 2n ** 60n },
  );
  fc.assert(
    fc.property(texts, data, (text, bindings) => {
      for (const mode of ["checked", "unchecked"] as const) {
        const compiled = OPEN.compile(text, { mode });
        const outcome = compiled.kind === "issues" ? compiled.issues.length : compiled.program.evaluate(bindings).kind;
        expect(outcome).toBeTruthy();
      }
    }),
    { numRuns: 500 },
  );
});

describe("an error reports whether a value was missing", () => {
  test.each([
    ["x.y.z", { x: { y: {} } }, true],
    ["x.y.z", { x: { y: null } }, true],
    ["nothing.a", {}, true],
    ["x[3]", { x: [1] }, true],
    ["x['a']", { x: {} }, true],
    ["x.?a.?b.orValue(1)", { x: { a: null } }, true],
    ["x.?a.?b.orValue(1)", { x: { a: 5 } }, false],
    ["x.y.z", { x: { y: 5 } }, false],
    ["x + 1", { x: "a" }, false],
    ["1 / x", { x: 0 }, false],
    ["int(x)", { x: "a" }, false],
  ])("%s with %j: %s", (text, bindings, isAbsence) => {
    expect(run(text, bindings)).toMatchObject({ kind: "error", isAbsence });
  });

  test("a reached limit is not a missing value", () => {
    expect(run("x.all(i, i.y == 1)", { x: [{}, {}, {}] }, { costLimit: 1 })).toMatchObject({ isAbsence: false });
  });
});
