import { describe, expect, test } from "vitest";
import { CACHE_USES, playAll, REDESIRE_CASES, SPARSE } from "./interleaving.ts";

const timeout = 900_000;

describe.for(Object.entries(REDESIRE_CASES).filter(([name]) => CACHE_USES.includes(name)))(
  "an object is desired again by %s while it is pruned",
  ([, redesire]) => {
    test.for([1, 3])(
      "and two processes take turns, %i requests of the first: it stays, or the deletion came first",
      { timeout },
      async (resumed) => {
        const { schedules } = await playAll(redesire, "stopped process", { next: SPARSE, resumed });
        expect(schedules).toBeGreaterThan(20);
      },
    );
  },
);
