import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "./examples/examples.ts";

/** The examples whose histories are short. The full suite simulates all of them. */
const QUICK: ReadonlySet<string> = new Set(["01-simple", "guide/bucket", "guide/generic-step"]);
const SEEDS = 2;

test.each(EXAMPLES.filter(({ name }) => QUICK.has(name)))("$name survives some histories", async (example) => {
  const { histories, neverReady } = await simulate(example.program, { ...example.options, seeds: SEEDS });
  expect({ histories, neverReady }).toEqual({ histories: SEEDS, neverReady: [] });
});
