import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "./examples/examples.ts";

/** Fewer than of the other examples, because their histories take ten times as long. */
const SEEDS = 70;

test.each(EXAMPLES.filter(({ hasOperands }) => hasOperands === true))(
  "$name survives 70 histories",
  async ({ program, options }) => {
    const { histories, neverReady } = await simulate(program, { ...options, seeds: SEEDS });
    expect({ histories, neverReady }).toEqual({ histories: SEEDS, neverReady: [] });
  },
);
