import { describe, expect, test } from "vitest";
import { CACHE_USES, playAll, REDESIRE_CASES, SPARSE } from "./interleaving.ts";
import type { RedesireCase } from "./interleaving.ts";

const timeout = 900_000;
/** Every number of requests at first, where the order matters most, then a sample. */
const DENSE_FIRST = (installed: number): number => installed + (installed < 8 ? 1 : 8);
const ALL: readonly (readonly [string, RedesireCase])[] = Object.entries(REDESIRE_CASES);

describe.for(ALL)("an object is desired again by %s while it is pruned", ([, redesire]) => {
  test("and any request of the prune is slow: it stays, or the deletion came first", { timeout }, async () => {
    const { schedules, deletions } = await playAll(redesire, "slow request", { next: DENSE_FIRST });
    expect(schedules).toBeGreaterThan(10);
    expect(deletions).toBeGreaterThan(0);
  });

  test("and the process that prunes stops for a while: it stays, or the deletion came first", { timeout }, async () => {
    const { schedules } = await playAll(redesire, "stopped process", { next: DENSE_FIRST });
    expect(schedules).toBeGreaterThan(50);
  });
});

describe.for(ALL.filter(([name]) => CACHE_USES.includes(name)))(
  "an object is desired again by %s while it is pruned",
  ([, redesire]) => {
    test(
      "and the caches of the second process are stale: it stays, or the deletion came first",
      { timeout },
      async () => {
        const { schedules } = await playAll(redesire, "stopped process", { next: DENSE_FIRST, hasStaleCaches: true });
        expect(schedules).toBeGreaterThan(20);
      },
    );

    test("and the pruning process ends at any request: objects that stay have no prune mark", { timeout }, async () => {
      const { schedules } = await playAll(redesire, "ended process", { next: SPARSE });
      expect(schedules).toBeGreaterThan(20);
    });
  },
);
