import { randomInt } from "@levelset/core/internal";
import { seededRandom } from "@levelset/core/testing";
import type { EventFault, Fault, FaultyFetch } from "@levelset/core/testing";
import { describe, test } from "vitest";
import { replayLifecycle } from "./lifecycle.ts";
import { EXAMPLE_LIFECYCLES } from "./example-lifecycles.ts";

const FAULTS: readonly Fault[] = [
  { kind: "response-lost" },
  { kind: "refused" },
  { kind: "duplicate" },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 2 },
  { kind: "delay", ms: 7_000 },
];
const EVENT_FAULTS: readonly EventFault[] = [
  { kind: "cut" },
  { kind: "duplicate" },
  { kind: "delay", ms: 7_000 },
  { kind: "status", reason: "Expired" },
];
/** Number of crashes in one step, and number of steps that are replayed this way. */
const CRASHES = 4;
const PLAYS = 30;

describe.each(Object.entries(EXAMPLE_LIFECYCLES))("%s ends in the same state, without orphans", (_name, lifecycle) => {
  test.each(FAULTS)("when any one request fails with %j", async (fault) => {
    await replayLifecycle(lifecycle, async ({ requests, check }) => {
      for (let nth = 1; nth <= requests; nth++) await check(`request ${nth}`, (faults) => faults.failNth(nth, fault));
    });
  });

  test.each(EVENT_FAULTS)("when any one watch event fails with %j", async (fault) => {
    await replayLifecycle(lifecycle, async ({ events, check }) => {
      for (let nth = 1; nth <= events; nth++) await check(`event ${nth}`, (faults) => faults.failNthEvent(nth, fault));
    });
  });

  test("when the operator crashes repeatedly, with delayed watches", async () => {
    await replayLifecycle(lifecycle, async ({ requests, check }) => {
      for (let seed = 1; seed <= PLAYS; seed++) {
        const random = seededRandom(seed);
        const injectFaults = (faults: FaultyFetch): void => {
          for (let crash = 1; crash <= CRASHES; crash++) {
            faults.failNth(randomInt(random, 1, CRASHES * requests), { kind: "crash" });
          }
          faults.delayResponses(() => random.next() * 1_000);
        };
        await check(`seed ${seed}`, injectFaults, seed);
      }
    });
  });
});
