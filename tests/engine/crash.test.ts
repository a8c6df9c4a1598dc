import { seededRandom } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { chapters } from "./life.ts";
import { LIVES } from "./lives.ts";

describe.each(Object.entries(LIVES))(
  "41 · crash safety: %s ends in the same state, without orphans",
  { timeout: 60_000 },
  (_name, life) => {
    test("when the operator dies at any one request", async () => {
      await chapters(life, async ({ requests, check }) => {
        expect(requests).toBeGreaterThan(0);
        for (let nth = 1; nth <= requests; nth++) {
          await check(`request ${nth}`, (faults) => faults.failNth(nth, { kind: "crash" }));
        }
      });
    });

    test("when watches are late, by any time up to five seconds", async () => {
      await chapters(life, async ({ check }) => {
        for (let seed = 1; seed <= 5; seed++) {
          const random = seededRandom(seed);
          await check(`seed ${seed}`, (faults) => faults.lag(() => random.next() * 5_000), seed);
        }
      });
    });
  },
);
