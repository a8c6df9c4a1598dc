import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "./examples/examples.ts";

const SEEDS = 200;

test.each(EXAMPLES.filter(({ hasOperands }) => hasOperands !== true))(
  "$name survives 200 histories",
  async ({ program, options }) => {
    const { histories, neverReady } = await simulate(program, { ...options, seeds: SEEDS });
    expect({ histories, neverReady }).toEqual({ histories: SEEDS, neverReady: [] });
  },
);
