import { expect, test } from "vitest";
import { fuzzFleet } from "./fuzz/fuzz-fleet.ts";

test("a thousand random requests cause no server error and no response that violates the OpenAPI document", async () => {
  const { failures, codes } = await fuzzFleet({ kind: "sqlite", path: ":memory:" }, 1_000, 4);
  expect(failures).toEqual([]);
  for (const code of [200, 201, 400, 404]) expect(codes.get(code) ?? 0).toBeGreaterThan(10);
});
