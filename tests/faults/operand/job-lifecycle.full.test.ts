import type { Fault } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { NO_FAULT, runJobLifecycle } from "./job-lifecycle.ts";

const FAULTS: readonly Fault[] = [
  { kind: "crash" },
  { kind: "response-lost" },
  { kind: "status", reason: "InternalError" },
];

test.for(FAULTS)("a fault $kind at each write: each Job with a TTL and each hook completes once", async (fault) => {
  const writes = await runJobLifecycle({ fault, nth: NO_FAULT });
  expect(writes).toBeGreaterThan(30);
  for (let nth = 1; nth <= writes; nth++) await runJobLifecycle({ fault, nth });
});
