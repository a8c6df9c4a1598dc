import { isWatch } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { CLEAN, jobLife, protectedJobLife } from "./job-life.fixture.ts";

const FAULTS: readonly Fault[] = [
  { kind: "refused" },
  { kind: "answer-lost" },
  { kind: "duplicate" },
  { kind: "crash" },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "InternalError" },
];
/** Reads that steps ask for, too. */
const anyCall: RequestFilter = (request) => !isWatch(request);

test.each(FAULTS)(
  "$kind $reason at any one call: a protected Job stays when another client deletes it, and nothing is left behind",
  { timeout: 300_000 },
  async (fault) => {
    const calls = await protectedJobLife({ fault, nth: CLEAN, among: anyCall });
    expect(calls).toBeGreaterThan(15);
    for (let nth = 1; nth <= calls; nth++) await protectedJobLife({ fault, nth, among: anyCall });
  },
);

test.each(FAULTS)(
  "$kind $reason at any one call: each protected Job completes once, and nothing is left behind",
  { timeout: 300_000 },
  async (fault) => {
    const calls = await jobLife({ fault, nth: CLEAN, among: anyCall, protect: true });
    expect(calls).toBeGreaterThan(20);
    for (let nth = 1; nth <= calls; nth++) await jobLife({ fault, nth, among: anyCall, protect: true });
  },
);

describe.each([0, 700, 4_000])("with watches that are %i ms late", (lagMs) => {
  test.each(FAULTS)(
    "$kind $reason at any one call: each Job completes once, and nothing is left behind",
    { timeout: 300_000 },
    async (fault) => {
      const calls = await jobLife({ fault, nth: CLEAN, among: anyCall, lagMs });
      expect(calls).toBeGreaterThan(20);
      for (let nth = 1; nth <= calls; nth++) await jobLife({ fault, nth, among: anyCall, lagMs });
    },
  );
});
