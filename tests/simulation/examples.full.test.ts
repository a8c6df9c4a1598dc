import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "./examples/examples.ts";

const SEEDS = 30;

test.each(EXAMPLES)("$name survives some histories", async ({ program, options }) => {
  const { histories, neverReady } = await simulate(program, { ...options, seeds: SEEDS });
  expect({ histories, neverReady }).toEqual({ histories: SEEDS, neverReady: [] });
});
