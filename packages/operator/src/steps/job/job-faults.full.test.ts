import { isWatch } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { NO_FAULT, runJobLifecycle, protectedJobLife } from "./job-lifecycle.fixture.ts";

const FAULTS: readonly Fault[] = [
  { kind: "refused" },
  { kind: "response-lost" },
  { kind: "duplicate" },
  { kind: "crash" },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "InternalError" },
];
/** Includes the reads of steps. */
const anyCall: RequestFilter = (request) => !isWatch(request);

test.each(FAULTS)(
  "$kind $reason at any one call: a protected Job stays when another client deletes it, and no objects are left behind",
  async (fault) => {
    const calls = await protectedJobLife({ fault, nth: NO_FAULT, among: anyCall });
    expect(calls).toBeGreaterThan(15);
    for (let nth = 1; nth <= calls; nth++) await protectedJobLife({ fault, nth, among: anyCall });
  },
);

test.each(FAULTS)(
  "$kind $reason at any one call: each protected Job completes once, and no objects are left behind",
  async (fault) => {
    const calls = await runJobLifecycle({ fault, nth: NO_FAULT, among: anyCall, protect: true });
    expect(calls).toBeGreaterThan(20);
    for (let nth = 1; nth <= calls; nth++) await runJobLifecycle({ fault, nth, among: anyCall, protect: true });
  },
);

describe.each([0, 700, 4_000])("with watches delayed by %i ms", (lagMs) => {
  test.each(FAULTS)(
    "$kind $reason at any one call: each Job completes once, and no objects are left behind",
    async (fault) => {
      const calls = await runJobLifecycle({ fault, nth: NO_FAULT, among: anyCall, lagMs });
      expect(calls).toBeGreaterThan(20);
      for (let nth = 1; nth <= calls; nth++) await runJobLifecycle({ fault, nth, among: anyCall, lagMs });
    },
  );
});
