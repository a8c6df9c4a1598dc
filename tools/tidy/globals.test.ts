import { expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { checkGlobals } from "./globals.ts";

const CODE = "packages/operator/src/queue/a.ts";
const TEST = "packages/operator/src/queue/a.test.ts";

function wrong(path: string, text: string): readonly string[] {
  return reported(checkGlobals, { [path]: text }).map((line) => line.slice(path.length + 1));
}

test.for([
  ["const a = Date.now();", "Date.now"],
  ["const a = globalThis.Date.now();", "Date.now"],
  ["const a = { now: Date.now };", "Date.now"],
  ["const a = new Date();", "new Date()"],
  ["const a = new Date;", "new Date()"],
  ["const a = performance.now();", "performance.now"],
  ["const a = Math.random();", "Math.random"],
  ["setTimeout(a, 1);", "setTimeout"],
  ["const a = `${setTimeout(b, 1)}`;", "setTimeout"],
  ["const a = { setInterval };", "setInterval"],
  ["globalThis.setImmediate(a);", "setImmediate"],
  ["const a = process.env;", "process."],
  ["const a = process?.env;", "process."],
  ["const { env } = process;", "process."],
  ["console.log(1);", "console."],
  ["await using a = new AsyncDisposableStack();", "AsyncDisposableStack"],
  ['import { env } from "node:process";', "node:process"],
] as const)("%s is reported", ([text, what]) => {
  expect(wrong(CODE, text)).toEqual([`1 uses ${what}`]);
});

test("renamed timer imports are found too", () => {
  expect(wrong(CODE, '\nimport { setTimeout as sleep } from "node:timers/promises";')).toEqual([
    "2 uses setTimeout",
    "2 uses node:timers/promises",
  ]);
});

test.for([
  "const a = new Date(0);",
  "const a = new Date(clock.now());",
  "const a: Date = b;",
  "const a = clock.now() + Date.UTC(2026, 0, 1);",
  "this.process(a); b.setTimeout(c); const d = process(e);",
  "const a = { setTimeout: 1, process: 2, console: 3 };",
  "interface A { readonly setTimeout?: B; console: C }",
  "// Date.now() and setTimeout(a)",
  "/** process.env */",
  "const a = 'Date.now()' + \"console.log\" + `process.env ${b} Math.random()`;",
  "const a = /Date.now|process.env/;",
])("%s is not reported", (text) => {
  expect(wrong(CODE, text)).toEqual([]);
});

test("each is allowed in its own files", () => {
  const time = "Date.now(); new Date(); performance.now(); Math.random(); setTimeout(a); setInterval(a);";
  expect(wrong("packages/core/src/time/a.ts", time)).toEqual([]);
  expect(wrong("packages/core/src/testing/a.ts", "setImmediate(a);")).toEqual([]);
  expect(wrong("packages/cli/src/a.ts", "process.exit(); console.log();")).toEqual([]);
  expect(wrong("packages/cli/src/a.ts", "Date.now();")).toEqual(["1 uses Date.now"]);
  expect(wrong("packages/core/src/json/a.ts", "Date.now();")).toEqual(["1 uses Date.now"]);
});

test("tests must not sleep, but may use process", () => {
  expect(wrong(TEST, "process.env; console.log(); setImmediate(a); Math.random(); new Date();")).toEqual([]);
  expect(wrong(TEST, "setTimeout(a);\nsetInterval(a);\nDate.now();")).toEqual([
    "3 uses Date.now",
    "1 uses setTimeout",
    "2 uses setInterval",
  ]);
});

test.for([TEST, "tests/e2e/a.test.ts", "tests/support/a.ts", "tools/a.test.ts", "examples/a.test.ts"])(
  "tests must not measure time: %s",
  (path) => {
    expect(wrong(path, "performance.now();")).toEqual(["1 uses performance.now"]);
    expect(wrong(path, 'import { performance } from "node:perf_hooks";')).toEqual(["1 uses node:perf_hooks"]);
  },
);

test("all globals are allowed outside packages, except in tests", () => {
  expect(wrong("tools/a.ts", "process.env; setTimeout(a); Date.now(); performance.now();")).toEqual([]);
  expect(wrong("bench/a.ts", "performance.now();")).toEqual([]);
  expect(wrong("tests/support/a.ts", "process.env; setTimeout(a); Date.now();")).toEqual([]);
});
