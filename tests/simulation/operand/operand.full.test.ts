import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { OPERAND_OPTIONS, operands } from "./operand-campaign.ts";

test("the invariants of Operands hold in 40 histories", async () => {
  const { histories, neverReady } = await simulate(operands, { ...OPERAND_OPTIONS, seeds: 40 });
  expect({ histories, neverReady }).toEqual({ histories: 40, neverReady: [] });
});
