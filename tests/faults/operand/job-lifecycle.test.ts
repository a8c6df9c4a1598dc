import type { Fault } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { NO_FAULT, runJobLifecycle } from "./job-lifecycle.ts";

// With a fault at some writes; the full run has one at each.
test("a crash at a write: each Job with a TTL and each hook completes once", async () => {
  const fault: Fault = { kind: "crash" };
  const writes = await runJobLifecycle({ fault, nth: NO_FAULT });
  expect(writes).toBeGreaterThan(30);
  for (let nth = 5; nth <= writes; nth += 20) await runJobLifecycle({ fault, nth });
});
