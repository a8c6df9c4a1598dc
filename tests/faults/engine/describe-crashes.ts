import { seededRandom } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { replayLifecycle } from "./lifecycle.ts";
import { EXAMPLE_LIFECYCLES } from "./example-lifecycles.ts";

/** Replays the lifecycle of examples with crashes and delayed watches. */
export function describeCrashes(names: readonly string[]): void {
  const chosen = Object.entries(EXAMPLE_LIFECYCLES).filter(([name]) => names.includes(name));
  const title = "crash safety: %s ends in the same state, without orphans";
  describe.each(chosen)(title, (_name, lifecycle) => {
    test("when the operator crashes at any one request", async () => {
      await replayLifecycle(lifecycle, async ({ requests, check }) => {
        expect(requests).toBeGreaterThan(0);
        for (let nth = 1; nth <= requests; nth++) {
          await check(`request ${nth}`, (faults) => faults.failNth(nth, { kind: "crash" }));
        }
      });
    });

    test("when watches are delayed by up to five seconds", async () => {
      await replayLifecycle(lifecycle, async ({ check }) => {
        for (let seed = 1; seed <= 5; seed++) {
          const random = seededRandom(seed);
          await check(`seed ${seed}`, (faults) => faults.delayResponses(() => random.next() * 5_000), seed);
        }
      });
    });
  });
}
