import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { OPERAND_OPTIONS, operands } from "./operand-campaign.ts";

test("the invariants of Operands hold in three histories", async () => {
  const { histories, neverReady } = await simulate(operands, { ...OPERAND_OPTIONS, seeds: 3 });
  expect({ histories, neverReady }).toEqual({ histories: 3, neverReady: [] });
});
