import { expect, test } from "vitest";
import { checkDepth, JSON_DEPTH_MAX } from "./depth.ts";

test("arrays and objects count alike, and closing one makes room", () => {
  const deepest = '{"a":['.repeat(JSON_DEPTH_MAX / 2) + "]}".repeat(JSON_DEPTH_MAX / 2);
  expect(() => checkDepth(deepest)).not.toThrow();
  expect(() => checkDepth(`[${"[],".repeat(5_000)}[]]`)).not.toThrow();
  expect(() => checkDepth(`[${deepest}]`)).toThrow("nested more than 1000 levels deep");
});

test("brackets in strings do not count, whatever is escaped there", () => {
  const brackets = "[".repeat(5_000);
  for (const text of [`"${brackets}"`, `"\\"${brackets}"`, `"\\\\\\"${brackets}"`, `"${brackets}`]) {
    expect(() => checkDepth(text)).not.toThrow();
  }
  expect(() => checkDepth(`["\\\\",${brackets}`)).toThrow("nested more than 1000 levels deep");
});
