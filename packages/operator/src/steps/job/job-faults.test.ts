import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { App, describeJobRuns, migrate } from "./app.fixture.ts";
import { NO_FAULT, runJobLifecycle, protectedJobLife } from "./job-lifecycle.fixture.ts";

// Each with one fault; the full run has all faults at all calls.
test("crash at any one write: each Job completes once, and no objects are left behind", async () => {
  const fault: Fault = { kind: "crash" };
  const writes = await runJobLifecycle({ fault, nth: NO_FAULT });
  expect(writes).toBeGreaterThan(15);
  for (let nth = 1; nth <= writes; nth++) await runJobLifecycle({ fault, nth });
});

test("a lost response at any one write: a protected Job stays when another client deletes it, and no objects are left behind", async () => {
  const fault: Fault = { kind: "response-lost" };
  const writes = await protectedJobLife({ fault, nth: NO_FAULT });
  expect(writes).toBeGreaterThan(12);
  for (let nth = 1; nth <= writes; nth++) await protectedJobLife({ fault, nth });
});

test("releasing a Job that is already gone succeeds", async () => {
  await using cluster = await testCluster({ workloads: true });
  cluster.run(operator(App, [migrate()]));
  const isAboutJob = (request: { readonly method: string; readonly path: string }): boolean =>
    request.method === "PATCH" && request.path.endsWith("/jobs/a-migrate");
  cluster.faults.failNth(1, { kind: "status", reason: "NotFound" }, isAboutJob);
  await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
  await cluster.clock.advance(5_000);
  await cluster.untilSettled(App, "a");
  await cluster.patch(App, "a", { spec: { image: "web:2" } });
  await cluster.clock.advance(60_000);
  expect(await cluster.untilSettled(App, "a")).toBeReady();
  expect(cluster.faults.count(isAboutJob)).toBeGreaterThan(0);
  expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
  expect(cluster.logs.filter(({ message }) => message === "reconcile failed")).toEqual([]);
});
