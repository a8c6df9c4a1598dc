import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelDouble, CelUint } from "../value/index.ts";
import type { Expr } from "./expression.ts";
import { BIND_MACROS, OPTIONAL_MACROS, SORT_MACROS, STANDARD_MACROS, TWO_VARIABLE_MACROS } from "./macro.ts";
import { parse } from "./parser.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import { unparse } from "./unparse.ts";

const MACROS = new Map([
  ...STANDARD_MACROS,
  ...TWO_VARIABLE_MACROS,
  ...BIND_MACROS,
  ...OPTIONAL_MACROS,
  ...SORT_MACROS,
]);
const LIMITS = { lengthMax: 1_000, depthMax: 40 };

function tree(text: string): Expr {
  return parse(text, MACROS, LIMITS);
}

/** Returns a tree without locations. */
function placeless(expr: unknown): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (key === "at") return undefined;
      if (typeof value === "bigint") return `${value}n`;
      return value instanceof Uint8Array ? { bytes: [...value] } : value;
    }),
  );
}

/** Returns the error of a text and its location. */
function wrong(text: string): string {
  try {
    tree(text);
    return "nothing";
  } catch (error) {
    if (error instanceof CelSyntaxError) return `${error.at}: ${error.message}`;
    throw error;
  }
}

describe("a malformed expression is rejected with the problem and its location", () => {
  test.each([
    ["", "0: Syntax error: unexpected the end of the expression, expecting an expression"],
    ["1 +", "3: Syntax error: unexpected the end of the expression, expecting an expression"],
    ["a b", "2: Syntax error: unexpected 'b', expecting an operator or the end"],
    ["a.", "2: Syntax error: unexpected the end of the expression, expecting a name"],
    ["a.in", "2: Syntax error: unexpected 'in', expecting a name"],
    ["f(1, 2", "6: Syntax error: unexpected the end of the expression, expecting ')'"],
    ["[1, 2", "5: Syntax error: unexpected the end of the expression, expecting ','"],
    ["{1: 2, 3}", "8: Syntax error: unexpected '}', expecting ':'"],
    ["a ? b", "5: Syntax error: unexpected the end of the expression, expecting ':'"],
    ["'abc", "0: unterminated string literal"],
    ["'a\nb'", "0: unterminated string literal"],
    [String.raw`'\z'`, "1: invalid escape sequence"],
    [String.raw`'\ud800'`, "1: invalid unicode code point in escape sequence"],
    [String.raw`b'\u0041'`, String.raw`2: \u and \U are not allowed in bytes`],
    ["a # b", "2: token recognition error at: '#'"],
    ["while", "0: reserved identifier: while"],
    ["9223372036854775808", "0: invalid int literal '9223372036854775808'"],
    ["18446744073709551616u", "0: invalid uint literal '18446744073709551616u'"],
    ["-1u", "0: an unsigned literal has no sign"],
    ["1e999", "0: invalid double literal '1e999'"],
    ["has(a)", "4: invalid argument to has() macro"],
    ["x.all(1, true)", "6: argument must be a simple name"],
    ["x.exists(a, a, true)", "12: the two variables must have different names"],
  ])("%s", (text, message) => {
    expect(wrong(text)).toBe(message);
  });

  test("text that is too long, and trees that are too deep, in any direction", () => {
    const depth = "an expression is at most 40 levels deep";
    expect(wrong("1".repeat(1_001))).toContain("at most 1000 characters");
    expect(wrong("(".repeat(100))).toContain(depth);
    expect(wrong(`${"[".repeat(60)}${"]".repeat(60)}`)).toContain(depth);
    expect(wrong(Array.from({ length: 60 }, () => "1").join("+"))).toContain(depth);
    expect(wrong(`a${".b".repeat(60)}`)).toContain(depth);
    expect(wrong(`${"a ? b : ".repeat(60)}c`)).toContain(depth);
    expect(wrong(`(${"(".repeat(5)}a${".b".repeat(20)})${".b".repeat(20)}${")".repeat(5)}`)).toContain(depth);
  });

  test("but long chains of && and || are flat", () => {
    expect(wrong(Array.from({ length: 100 }, () => "a").join(" && "))).toBe("nothing");
    expect(wrong(Array.from({ length: 100 }, () => "a").join(" || "))).toBe("nothing");
  });
});

test("operators bind as in C, and the smallest int is a literal", () => {
  expect(unparse(tree("1+2*3==7&&!a||b?c:d"))).toBe("((((1 + (2 * 3)) == 7) && (!(a))) || b) ? c : d");
  expect(tree("-9223372036854775808")).toMatchObject({ kind: "literal", value: -9_223_372_036_854_775_808n });
  expect(tree("a.b.c")).toMatchObject({ kind: "select", field: "c" });
});

const NAMES = fc.constantFrom("a", "b", "self", "items", "_x1");
const LITERALS = fc.oneof(
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new CelDouble(value)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new CelUint(value)),
  fc.uint8Array({ maxLength: 4 }),
);
const OPERATORS = fc.constantFrom(
  "_+_",
  "_-_",
  "_*_",
  "_/_",
  "_%_",
  "_<_",
  "_>=_",
  "_==_",
  "_!=_",
  "@in",
  "_[_]",
  "_[?_]",
);

const { expr: EXPRESSIONS } = fc.letrec<{ expr: Expr }>((tie) => {
  const at = fc.constant(0);
  const expr = tie("expr");
  const optional = fc.boolean();
  return {
    expr: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({ kind: fc.constant("literal" as const), at, value: LITERALS }),
      fc.record({ kind: fc.constant("ident" as const), at, name: NAMES }),
      fc.record({
        kind: fc.constant("select" as const),
        at,
        operand: expr,
        field: fc.oneof(NAMES, fc.constantFrom("in", "with-dash", "a/b")),
        mode: fc.constantFrom("value" as const, "test" as const, "optional" as const),
      }),
      fc.record({
        kind: fc.constant("call" as const),
        at,
        name: OPERATORS,
        target: fc.constant(undefined),
        args: fc.tuple(expr, expr),
      }),
      fc.record({
        kind: fc.constant("call" as const),
        at,
        name: fc.constantFrom("_&&_", "_||_"),
        target: fc.constant(undefined),
        args: fc.array(expr, { minLength: 2, maxLength: 4 }),
      }),
      fc.record({
        kind: fc.constant("call" as const),
        at,
        name: fc.constantFrom("f", "size"),
        target: fc.option(expr, { nil: undefined }),
        args: fc.array(expr, { maxLength: 2 }),
      }),
      fc.record({
        kind: fc.constant("list" as const),
        at,
        items: fc.array(fc.record({ value: expr, optional }), { maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant("map" as const),
        at,
        entries: fc.array(fc.record({ at, key: expr, value: expr, optional }), { maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant("fold" as const),
        at,
        fold: fc.constantFrom("all" as const, "exists" as const, "filter" as const, "map" as const, "sortBy" as const),
        range: expr,
        variables: fc.tuple(NAMES),
        filter: fc.constant(undefined),
        body: expr,
      }),
      fc.record({ kind: fc.constant("bind" as const), at, name: NAMES, value: expr, body: expr }),
    ),
  };
});

test("an unparsed tree parses to the same tree", () => {
  fc.assert(
    fc.property(EXPRESSIONS, (expr) => {
      const text = unparse(expr);
      expect(placeless(parse(text, MACROS, { lengthMax: 1e6, depthMax: 500 }))).toEqual(placeless(expr));
    }),
  );
});

test("any text is parsed, or rejected with a location inside it", () => {
  const soup = fc.array(
    fc.constantFrom(
      ..."( ) [ ] { } . ? : , + - ! && || == in 'a' \"b\" 1 2u 3.5 a has map x.all true \\ ` # r' b'".split(" "),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        soup.map((words) => words.join(" ")),
      ),
      (text) => {
        const at = Number.parseInt(wrong(text), 10); // throws for other errors; NaN if there is none
        expect(at < 0 || at > text.length).toBe(false);
      },
    ),
  );
});
