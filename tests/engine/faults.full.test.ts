import { randomInt } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import type { EventFault, Fault, FaultyFetch } from "@levelset/core/testing";
import { describe, test } from "vitest";
import { chapters } from "./life.ts";
import { LIVES } from "./lives.ts";

const FAULTS: readonly Fault[] = [
  { kind: "answer-lost" },
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
/** How often an operator dies in one act, and how many acts are played so. */
const DEATHS = 4;
const PLAYS = 30;

describe.each(Object.entries(LIVES))(
  "%s ends in the same state, without orphans",
  { timeout: 120_000 },
  (_name, life) => {
    test.each(FAULTS)("when any one request meets %j", async (fault) => {
      await chapters(life, async ({ requests, check }) => {
        for (let nth = 1; nth <= requests; nth++) await check(`request ${nth}`, (faults) => faults.failNth(nth, fault));
      });
    });

    test.each(EVENT_FAULTS)("when any one event of a watch meets %j", async (fault) => {
      await chapters(life, async ({ events, check }) => {
        for (let nth = 1; nth <= events; nth++)
          await check(`event ${nth}`, (faults) => faults.failNthEvent(nth, fault));
      });
    });

    test("when the operator dies again and again, while watches are late", async () => {
      await chapters(life, async ({ requests, check }) => {
        for (let seed = 1; seed <= PLAYS; seed++) {
          const random = seededRandom(seed);
          const trouble = (faults: FaultyFetch): void => {
            for (let death = 1; death <= DEATHS; death++) {
              faults.failNth(randomInt(random, 1, DEATHS * requests), { kind: "crash" });
            }
            faults.lag(() => random.next() * 1_000);
          };
          await check(`seed ${seed}`, trouble, seed);
        }
      });
    });
  },
);
