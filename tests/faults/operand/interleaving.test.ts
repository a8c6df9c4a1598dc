import { expect, test } from "vitest";
import { playAll, REDESIRE_CASES } from "./interleaving.ts";

/** Either only the change is stored, or the controllers do all their work before the slow request arrives. */
const EXTREMES = (installed: number): number => installed + 1_000;

test.for([
  ["the same set as before", "slow request", { next: EXTREMES }],
  ["another Operand that only ensures it", "stopped process", { next: EXTREMES, hasStaleCaches: true }],
] as const)(
  "an object is desired again by %s while any request of its prune is delayed (%s): it stays, or the deletion came first",
  async ([name, arrangement, selection]) => {
    const { schedules } = await playAll(REDESIRE_CASES[name], arrangement, selection);
    expect(schedules).toBeGreaterThan(20);
  },
);
