import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CASES } from "./cases/index.ts";
import { idOf } from "./suite/case.ts";
import type { Case } from "./suite/case.ts";
import { exceptionsIn, readExceptions } from "./suite/exceptions.ts";
import { valueAt, match } from "./suite/match.ts";
import type { Shape } from "./suite/match.ts";
import { idsOnPage, page, PAGE } from "./suite/page.ts";
import { checkUnique } from "./suite/run.ts";
import { summarize } from "./suite/suite-summary.ts";

const IDS = CASES.map(idOf);

describe("the suite", () => {
  test("every case has a unique name and a rule", () => {
    checkUnique(CASES);
    expect(CASES.length).toBeGreaterThan(450);
    expect(CASES.filter(({ rule }) => rule.trim() === "").map(idOf)).toEqual([]);
  });

  test("the conformance page lists all cases", () => {
    const text = readFileSync(fileURLToPath(new URL(`../../../${PAGE}`, import.meta.url)), "utf8");
    expect(idsOnPage(text)).toEqual(IDS);
  });

  test("every exception is a case and has a reason", () => {
    const exceptions = [...readExceptions()];
    expect(exceptions.filter(([id]) => !IDS.includes(id))).toEqual([]);
    expect(exceptions.filter(([, reason]) => reason.length < 10)).toEqual([]);
  });
});

const made = (group: string, name: string): Case => ({
  group,
  name,
  rule: "r",
  client: "requests",
  slow: false,
  run: () => Promise.resolve(),
});
const result = (name: string, failure?: string): Parameters<typeof summarize>[0][number] => ({
  case: made("g", name),
  failure,
  tookMs: 1,
});

describe("the summary", () => {
  const exceptions = exceptionsIn(
    "| case | reason |\n|---|---|\n| `g: b` | by decision |\n| `g: c` | no longer |\n| `g: z` | gone |\n",
  );

  test("distinguishes failures, exceptions and outdated exceptions", () => {
    const verdict = summarize([result("a", "x"), result("b", "y"), result("c"), result("d")], exceptions, true);
    expect(verdict.failures.map((each) => each.case.name)).toEqual(["a"]);
    expect(verdict.excepted.map((each) => each.case.name)).toEqual(["b"]);
    expect(verdict.outdated).toEqual(["g: c", "g: z"]);
    expect([verdict.passed, verdict.total]).toEqual([2, 4]);
  });

  test("ignores exceptions of cases that did not run", () => {
    expect(summarize([result("b", "y")], exceptions, false).outdated).toEqual([]);
  });

  test("the page shows the result of each case on both targets", () => {
    const text = page(
      [result("a", "x"), result("b", "y"), result("c|d")],
      [result("a"), result("b"), result("c|d")],
      exceptions,
    );
    expect(text).toContain("| a | r | **fails** | passes |");
    expect(text).toContain("| b | r | [exception](conformance-exceptions.md) | passes |");
    expect(text).toContain("| **total** | 3 | 1 | 3 |");
    expect(idsOnPage(text)).toEqual(["g: a", "g: b", "g: c|d"]);
  });
});

describe("shapes", () => {
  test.each<[string, unknown, Shape]>([
    ["more fields than named", { a: 1, b: 2 }, { a: 1 }],
    ["an absent field", { a: 1 }, { b: undefined }],
    ["a text by an expression", { a: "x1" }, { a: /^x\d$/u }],
    ["a list, item by item", [{ a: 1, b: 2 }, 3], [{ a: 1 }, 3]],
    ["anything by a function", 5, (value) => value === 5],
  ])("match: %s", (_, value, shape) => {
    expect(() => match(value, shape)).not.toThrow();
  });

  test.each<[string, unknown, Shape, string]>([
    ["another value", { a: { b: 1 } }, { a: { b: 2 } }, "it.a.b is 1, not 2"],
    ["a field that must be absent", { a: 1 }, { a: undefined }, "it.a is 1, not undefined"],
    ["a longer list", [1, 2], [1], "it is [ 1, 2 ], not a list of 1 like [ 1 ]"],
    ["a number for a text", { a: 1 }, { a: /1/u }, "it.a is 1, not /1/u"],
    ["null for an object", { a: null }, { a: {} }, "it.a is null, not an object like {}"],
    ["a list for an object", { a: [] }, { a: {} }, "it.a is [], not an object like {}"],
  ])("mismatch: %s, with the path", (_, value, shape, message) => {
    expect(() => match(value, shape)).toThrow(message);
  });

  test("a path resolves in objects and lists, or is undefined", () => {
    expect(valueAt({ a: [{ b: 1 }] }, "a.0.b")).toBe(1);
    expect(valueAt({ a: 1 }, "a.b.c")).toBeUndefined();
  });
});
