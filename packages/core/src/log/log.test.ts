import { expect, test } from "vitest";
import { formatLogLine, logTo, silentLogger } from "./index.ts";

test("a line for people shows the message, then the fields, and errors by their message", () => {
  const line = {
    level: "warn",
    message: "reconcile failed",
    fields: { name: "a", error: new Error("no route"), n: 5n, u: undefined },
  } as const;
  expect(formatLogLine(line)).toBe('! reconcile failed  name=a  error="no route"  n=5');
});

test("a stack stands below, and none of its lines can be taken for one of the log", () => {
  const fields = { stack: "TypeError: no\n✗ forged\n    at do (a.ts:1:2)", error: new TypeError("no") };
  expect(formatLogLine({ level: "error", message: "a step has a defect", fields })).toBe(
    '✗ a step has a defect  error="no"\n    TypeError: no\n    ✗ forged\n    at do (a.ts:1:2)',
  );
});

test("a later field overrules a bound one", () => {
  const lines: unknown[] = [];
  logTo(({ fields }) => lines.push(fields), { a: 1 }).info("x", { a: 2 });
  expect(lines).toEqual([{ a: 2 }]);
  silentLogger.with({ a: 1 }).error("nobody hears");
});
