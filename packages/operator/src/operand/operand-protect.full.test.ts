import type { Fault } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { CLEAN, protectedLife } from "./operand-protect.fixture.ts";

test.each<Fault>([
  { kind: "refused" },
  { kind: "response-lost" },
  { kind: "duplicate" },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "InternalError" },
])("a protected Operand keeps its set and leaves no objects behind when any one write fails with %j", async (fault) => {
  const writes = await protectedLife(CLEAN, fault);
  expect(writes).toBeGreaterThan(6);
  for (let nth = 1; nth <= writes; nth++) await protectedLife(nth, fault);
});
