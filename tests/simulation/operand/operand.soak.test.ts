import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { OPERAND_OPTIONS, operands } from "./operand-campaign.ts";

/** Other histories than those of the full suite, as many as ten minutes allow. */
const LIMITS = { firstSeed: 1_000, seeds: 10_000, minutes: 10 };

test("the invariants of Operands hold in up to 10,000 histories", async () => {
  const { histories } = await simulate(operands, { ...OPERAND_OPTIONS, ...LIMITS });
  expect(histories).toBeGreaterThan(0);
});
