import { simulate } from "@levelset/simulation";
import { expect, test } from "vitest";
import { EXAMPLES } from "./examples/examples.ts";

/** Other histories than those of the full suite. */
const FIRST_SEED = 1_000;
/** As many as ten minutes allow: a test that takes longer than fifteen counts as hung. */
const LIMITS = { seeds: 10_000, minutes: 10 };

test.each(EXAMPLES)("$name survives up to 10,000 histories", async ({ program, options }) => {
  const { histories } = await simulate(program, { ...options, firstSeed: FIRST_SEED, ...LIMITS });
  expect(histories).toBeGreaterThan(0);
});
