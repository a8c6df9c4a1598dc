import { stripTypeScriptTypes } from "node:module";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { formatLiteral } from "./literal.ts";
import { storyTest } from "./story-test.ts";

const HOSTILE = "*/ \n\u2028 ${process.exit()} ` \" ' \u202E end";

function evaluate(source: string): unknown {
  return runInThisContext(`(${source})`) as unknown;
}

test("data as an expression has the same value", () => {
  const values = [
    null,
    -1_234_567,
    0.5,
    9_007_199_254_740_993n,
    HOSTILE,
    [1, "a", { b: [] }],
    { "a-b": 1, nested: { text: HOSTILE.repeat(5), list: [HOSTILE, {}] } },
    JSON.parse('{"__proto__": {"x": 1}}') as { readonly x: number },
  ];
  for (const value of values) expect(evaluate(formatLiteral(value, ""))).toEqual(value);
});

test("a test has the history as data, one comment for each operation and fault, and no line of hostile text", () => {
  const object = { apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" }, spec: { text: HOSTILE } };
  const source = storyTest({
    story: {
      violation: { rule: "left-behind", message: `It stays: ${HOSTILE}`, expected: "It is gone." },
      case: {
        seed: 12,
        history: { operations: [{ do: "create", object, afterMs: 60_000 }] },
        faults: [{ kind: "crash", at: 0, nth: 2, downMs: 0 }],
      },
    },
    program: "../src/operator.ts",
    samples: [object],
    ignore: ["hot-loop"],
  });
  expect(source).toContain('import program from "../src/operator.ts";\n');
  expect(source).toContain(
    '// the process crashes after its write 2\n    { kind: "crash", at: 0, nth: 2, downMs: 0 },\n',
  );
  expect(source).toContain("afterMs: 60_000,\n");
  expect(source).toContain('ignore: ["hot-loop"],\n');
  expect(source).not.toMatch(/[\u2028\u202E]/u);
  expect(() => stripTypeScriptTypes(source)).not.toThrow();
  expect(
    source.split("\n").filter((line) => /^\s*\/\/ (?:Found|Expected|a user|the process)/u.test(line)),
  ).toHaveLength(5);
});
