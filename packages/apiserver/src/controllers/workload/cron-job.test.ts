import { CronJob, Job } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Cluster } from "../cluster.fixture.ts";
import { RUN_FOR } from "./annotation.ts";
import { seen, template } from "./workload.fixture.ts";

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

  test("starts a job each time, and keeps the latest that succeeded", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(cron({ successfulJobsHistoryLimit: 2 }));
    await cluster.pass(4 * 60_000, 30_000);
    expect(cluster.names(Job)).toEqual([]);
    await cluster.pass(20 * 60_000, 10_000);
    expect(cluster.names(Job)).toHaveLength(2);
    const { status } = seen(cluster, CronJob, "c");
    expect([status?.lastScheduleTime, status?.active]).toEqual(["2026-01-01T00:20:00Z", undefined]);
    expect(status?.lastSuccessfulTime?.startsWith("2026-01-01T00:20:")).toBe(true);
  });

  test.for([
    ["Allow", 3],
    ["Forbid", 1],
    ["Replace", 1],
  ] as const)("with %s has %d jobs when they take long", async ([concurrencyPolicy, count]) => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(cron({ concurrencyPolicy }, { [RUN_FOR]: "1h" }));
    await cluster.pass(16 * 60_000, 30_000);
    expect(seen(cluster, CronJob, "c").status?.active).toHaveLength(count);
  });

  test("that is suspended starts nothing", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(cron({ suspend: true }));
    await cluster.pass(11 * 60_000, 60_000);
    expect(cluster.names(Job)).toEqual([]);
  });
});
