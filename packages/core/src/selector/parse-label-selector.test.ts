import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SelectorError } from "./selector-error.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";
import { selectorOfRequirements, formatLabelSelector } from "./label-selector.ts";
import type { LabelRequirement } from "./label-selector.ts";

const name = fc.stringMatching(/^[a-zA-Z0-9]([-a-zA-Z0-9_.]{0,8}[a-zA-Z0-9])?$/);
const key = fc.oneof(name, fc.constantFrom("in", "notin", "app.kubernetes.io/name"));
const value = fc.oneof(name, fc.constantFrom("", "in", "notin"));
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom("exists", "absent") }),
  fc.record({ key, operator: fc.constantFrom("=", "==", "!="), value }),
  fc.record({ key, operator: fc.constantFrom("<", ">"), value: fc.nat().map(String) }),
  fc.record({ key, operator: fc.constantFrom("in", "notin"), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
);

/** Returns the error thrown by parsing `text`. */
function failure(text: string): SelectorError {
  try {
    parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
  throw new Error("the text was accepted");
}

test("selectors round-trip through formatting and parsing", () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 5 }), (requirements) => {
      const selector = selectorOfRequirements(requirements);
      expect(parseLabelSelector(formatLabelSelector(selector))).toEqual(selector);
    }),
  );
});

/** Returns the canonical form of a text, or the position of the error. */
function canonicalOrError(text: string): { readonly normal: string } | { readonly position: number | undefined } {
  try {
    return { normal: formatLabelSelector(parseLabelSelector(text)) };
  } catch (error) {
    if (error instanceof SelectorError) return { position: error.position };
    throw error;
  }
}

test("any text is either parsed or rejected at a position inside it, and the canonical form is stable", () => {
  const part = fc.constantFrom("a", "b", "in", "notin", "(", ")", ",", "=", "==", "!=", "!", "<", ">", " ", "1", "/");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const text = parts.join("");
      const seen = canonicalOrError(text);
      expect("normal" in seen ? canonicalOrError(seen.normal) : seen).toEqual(seen);
      expect("normal" in seen ? 0 : seen.position).toSatisfy((at: number) => at >= 0 && at <= text.length);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["", ""],
  ["  ", ""],
  ["a", "a"],
  ["!a", "!a"],
  ["! a", "!a"],
  ["a=b", "a=b"],
  [" a = b ", "a=b"],
  ["a==b", "a==b"],
  ["a!=b", "a!=b"],
  ["a=", "a="],
  ["a!=,b", "a!=,b"],
  ["a>1,a<5", "a>1,a<5"],
  ["a in (y,x,y)", "a in (x,y)"],
  ["a in(x)", "a in (x)"],
  ["a\tnotin\n( x , y )", "a notin (x,y)"],
  ["a in ()", "a in ()"],
  ["a in (,)", "a in ()"],
  ["x in (foo,,baz),y,z notin ()", "x in (,baz,foo),y,z notin ()"],
  ["a in (x,)", "a in (,x)"],
  ["b,a,c=d", "a,b,c=d"],
  ["in in (in,notin)", "in in (in,notin)"],
  ["notin", "notin"],
  ["in=notin", "in=notin"],
  ["app.kubernetes.io/name=x", "app.kubernetes.io/name=x"],
])("%j is read as %j", (text, normal) => {
  expect(formatLabelSelector(parseLabelSelector(text))).toBe(normal);
});

test.each([
  [",", "expected a key, found ',', at position 0"],
  ["a,", "expected a key, found the end, at position 2"],
  ["a,,b", "expected a key, found ',', at position 2"],
  ["!", "expected a key, found the end, at position 1"],
  ["!a=b", "expected ',' or the end, found '=', at position 2"],
  ["a b", "expected one of = == != < > in notin, found 'b', at position 2"],
  ["a=b c", "expected ',' or the end, found 'c', at position 4"],
  ["a===b", "expected a value, found '=', at position 3"],
  ["a=!b", "expected a value, found '!', at position 2"],
  ["a>=1", "expected a value, found '=', at position 2"],
  ["a in x", "expected '(', found 'x', at position 5"],
  ["a in (x", "expected ',' or ')', found the end, at position 7"],
  ["a in (x y)", "expected ',' or ')', found 'y', at position 8"],
  ["a in (x,(", "expected ',' or ')', found '(', at position 8"],
  ["a>x", "'>' needs an integer of 64 bits, found 'x', at position 2"],
  ["a>", "'>' needs an integer of 64 bits, found '', at position 2"],
  ["a<9223372036854775808", "'<' needs an integer of 64 bits, found '9223372036854775808', at position 2"],
  ["a/b/c=d", "invalid label key 'a/b/c': a key can have only one '/', at position 0"],
  ["(a)", "expected a key, found '(', at position 0"],
])("%j is rejected with a reason and a position", (text, message) => {
  expect(failure(text).message).toBe(message);
});

test("an invalid value is named", () => {
  expect(failure("a=b,c in (d,-e)")).toMatchObject({ position: 12, name: "SelectorError" });
  expect(failure("a=b,c in (d,-e)").message).toContain("invalid label value '-e'");
});
