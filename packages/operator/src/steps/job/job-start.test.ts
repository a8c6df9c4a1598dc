import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { later, started } from "./app-cluster.fixture.ts";
import { App, describeJobRuns } from "./app.fixture.ts";

test("a Job that cannot start does not block the correction of its image", async () => {
  await using cluster = await started({ image: "web:does-not-exist" });
  await later(cluster, 10_000);
  await cluster.patch(App, "a", { spec: { image: "web:2" } });
  expect(await later(cluster, 45_000)).toHaveCondition("MigrationReady", "False", {
    severity: "Info",
    reason: "Requested",
    message: "job/a-migrate has not started for an earlier version: 0 of 1 pods succeeded, 1 active",
  });
  expect(await later(cluster, 30_000)).toBeReady();
  expect(describeJobRuns(cluster)).toEqual(["web:does-not-exist unfinished", "web:2 Complete"]);
});

test("a Job of an earlier version whose pod has started completes, however long it takes", async () => {
  await using cluster = await started({ pods: { "sim.levelset.dev/run-for": "10m" } });
  await later(cluster, 10_000);
  await cluster.patch(App, "a", { spec: { image: "web:2" } });
  expect(await later(cluster, 300_000)).toHaveCondition("MigrationReady", "False", {
    severity: "Info",
    reason: "Requested",
    message: "job/a-migrate still runs for an earlier version: 0 of 1 pods succeeded, 1 active",
  });
  expect(await later(cluster, 1_000_000)).toBeReady();
  expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete"]);
});
