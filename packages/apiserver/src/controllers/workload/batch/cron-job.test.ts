import { CronJob, Job } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { RUN_FOR_ANNOTATION } from "../simulation-annotations.ts";
import { mustGet, template } from "../workload.fixture.ts";

describe("a cron job", () => {
  function cron(
    spec: object = {},
    annotations: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, unknown>> {
    const jobTemplate = { spec: { template: template("c", { restartPolicy: "Never", annotations }) } };
    return {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "c" },
      spec: { schedule: "*/5 * * * *", jobTemplate, ...spec },
    };
  }

  test("creates a job per scheduled time, and keeps the latest successful one", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(cron({ successfulJobsHistoryLimit: 2 }));
    await cluster.advance(4 * 60_000, 30_000);
    expect(cluster.names(Job)).toEqual([]);
    await cluster.advance(20 * 60_000, 10_000);
    expect(cluster.names(Job)).toHaveLength(2);
    const { status } = mustGet(cluster, CronJob, "c");
    expect([status?.lastScheduleTime, status?.active]).toEqual(["2026-01-01T00:20:00Z", undefined]);
    expect(status?.lastSuccessfulTime?.startsWith("2026-01-01T00:20:")).toBe(true);
  });

  test.for([
    ["Allow", 3],
    ["Forbid", 1],
    ["Replace", 1],
  ] as const)("with %s has %d jobs when runs overlap", async ([concurrencyPolicy, count]) => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(cron({ concurrencyPolicy }, { [RUN_FOR_ANNOTATION]: "1h" }));
    await cluster.advance(16 * 60_000, 30_000);
    expect(mustGet(cluster, CronJob, "c").status?.active).toHaveLength(count);
  });

  test("does not create jobs while suspended", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(cron({ suspend: true }));
    await cluster.advance(11 * 60_000, 60_000);
    expect(cluster.names(Job)).toEqual([]);
  });
});
