import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { App, jobStory, migrate } from "./app.fixture.ts";
import { CLEAN, jobLife, protectedJobLife } from "./job-life.fixture.ts";

test.each<Fault>([{ kind: "answer-lost" }, { kind: "crash" }])(
  "$kind at any one write: each Job completes once, and nothing is left behind",
  async (fault) => {
    const writes = await jobLife({ fault, nth: CLEAN });
    expect(writes).toBeGreaterThan(15);
    for (let nth = 1; nth <= writes; nth++) await jobLife({ fault, nth });
  },
);

test.each<Fault>([{ kind: "answer-lost" }, { kind: "crash" }])(
  "$kind at any one write: a protected Job stays when another client deletes it, and nothing is left behind",
  async (fault) => {
    const writes = await protectedJobLife({ fault, nth: CLEAN });
    expect(writes).toBeGreaterThan(12);
    for (let nth = 1; nth <= writes; nth++) await protectedJobLife({ fault, nth });
  },
);

test("a Job that is gone when it is let go of was let go of", async () => {
  await using cluster = await testCluster({ workloads: true });
  cluster.run(operator(App, [migrate()]));
  const isAboutJob = (request: { readonly method: string; readonly path: string }): boolean =>
    request.method === "PATCH" && request.path.endsWith("/jobs/a-migrate");
  cluster.faults.failNth(1, { kind: "status", reason: "NotFound" }, isAboutJob);
  await cluster.apply(App, { name: "a", spec: { image: "web:1" } });
  await cluster.clock.advance(5_000);
  await cluster.settled(App, "a");
  await cluster.patch(App, "a", { spec: { image: "web:2" } });
  await cluster.clock.advance(60_000);
  expect(await cluster.settled(App, "a")).toBeReady();
  expect(cluster.faults.count(isAboutJob)).toBeGreaterThan(0);
  expect(jobStory(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
  expect(cluster.logs.filter(({ message }) => message === "reconcile failed")).toEqual([]);
});
