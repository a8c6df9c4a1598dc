import { expect, test } from "vitest";
import { fuzzed } from "./fuzz/fuzzed.ts";

test("a thousand made-up requests find no fault of the server and no answer that is not as published", async () => {
  const { failures, codes } = await fuzzed({ kind: "sqlite", path: ":memory:" }, 1_000, 4);
  expect(failures).toEqual([]);
  for (const code of [200, 201, 400, 404]) expect(codes.get(code) ?? 0).toBeGreaterThan(10);
});
