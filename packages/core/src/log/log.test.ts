import { expect, test } from "vitest";
import { formatLogLine, createLogger, silentLogger } from "./index.ts";

test("a formatted line has the message, then the fields, with errors shown by their message", () => {
  const line = {
    level: "warn",
    message: "reconcile failed",
    fields: { name: "a", err: new Error("no route"), n: 5n, u: undefined },
  } as const;
  expect(formatLogLine(line)).toBe('! reconcile failed  name=a  err="no route"  n=5');
});

test("a stack is printed below, indented so that its lines cannot be mistaken for log lines", () => {
  const fields = { stack: "TypeError: no\n✗ forged\n    at do (a.ts:1:2)", err: new TypeError("no") };
  expect(formatLogLine({ level: "error", message: "a step has a defect", fields })).toBe(
    '✗ a step has a defect  err="no"\n    TypeError: no\n    ✗ forged\n    at do (a.ts:1:2)',
  );
});

test("a field of the line overrides a bound field", () => {
  const lines: unknown[] = [];
  createLogger(({ fields }) => lines.push(fields), { a: 1 }).info("x", { a: 2 });
  expect(lines).toEqual([{ a: 2 }]);
  silentLogger.with({ a: 1 }).error("discarded");
});
