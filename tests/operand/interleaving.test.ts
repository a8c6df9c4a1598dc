import { expect, test } from "vitest";
import { playAll, STORIES } from "./interleaving.ts";

/** Either the change is stored and no more, or all is done that the controllers do before the slow request arrives. */
const EXTREMES = (installed: number): number => installed + 1_000;

test.for([
  ["the same set as before", "slow request", { next: EXTREMES }],
  ["another Operand that only ensures it", "stopped process", { next: EXTREMES, hasStaleCaches: true }],
] as const)(
  "I4 · an object is wanted again by %s while any request of its prune is late (%s): it stays, or the deletion came first",
  { timeout: 60_000 },
  async ([name, arrangement, selection]) => {
    const { schedules } = await playAll(STORIES[name], arrangement, selection);
    expect(schedules).toBeGreaterThan(20);
  },
);
