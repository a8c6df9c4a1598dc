import { Event, Job } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Cluster } from "../cluster.fixture.ts";
import { EXIT_CODE, RUN_FOR } from "./annotation.ts";
import type { Pod } from "./pod.ts";
import { onEvery, podsOf, seen, template } from "./workload.fixture.ts";

describe("a job", () => {
  function job(
    spec: object = {},
    annotations: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, unknown>> {
    return {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "j" },
      spec: { template: template("j", { restartPolicy: "Never", annotations }), ...spec },
    };
  }
  const conditions = (cluster: Cluster): readonly unknown[] =>
    (seen(cluster, Job, "j").status?.conditions ?? []).map(({ type, status, reason }) => [type, status, reason]);

  test("completes when enough pods have succeeded, not too many at a time", async () => {
    using cluster = await Cluster.start({ workloads: true });
    let most = 0;
    onEvery(cluster, "pods", (objects) => {
      most = Math.max(
        most,
        (objects as unknown as readonly Pod[]).filter(({ status }) => status?.phase !== "Succeeded").length,
      );
    });
    await cluster.apply(job({ completions: 5, parallelism: 2 }));
    await cluster.pass(10_000);
    expect(conditions(cluster)).toEqual([
      ["SuccessCriteriaMet", "True", "CompletionsReached"],
      ["Complete", "True", "CompletionsReached"],
    ]);
    const { status } = seen(cluster, Job, "j");
    expect([status?.succeeded, status?.active, status?.completionTime !== undefined, most]).toEqual([
      5,
      undefined,
      true,
      2,
    ]);
    expect(cluster.actor.list(Event).map(({ reason }) => reason)).toContain("Completed");
  });

  test("fails when its pods fail too often, with a longer wait after each", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(job({ backoffLimit: 2 }, { [EXIT_CODE]: "1" }));
    await cluster.pass(20_000, 500);
    expect(seen(cluster, Job, "j").status?.failed).toBe(2);
    await cluster.pass(40_000, 500);
    expect(conditions(cluster)).toEqual([
      ["FailureTarget", "True", "BackoffLimitExceeded"],
      ["Failed", "True", "BackoffLimitExceeded"],
    ]);
    expect(seen(cluster, Job, "j").status?.failed).toBe(3);
  });

  test("with indexes runs each of them once", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(job({ completions: 4, parallelism: 4, completionMode: "Indexed" }));
    await cluster.pass(5000);
    expect(seen(cluster, Job, "j").status).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
    expect(new Set(podsOf(cluster, "j").map(({ spec }) => spec?.hostname))).toEqual(
      new Set(["j-0", "j-1", "j-2", "j-3"]),
    );
  });

  test("that is suspended has no pods until it goes on", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(job({ suspend: true }));
    await cluster.pass(1000);
    expect([podsOf(cluster, "j"), conditions(cluster)]).toEqual([[], [["Suspended", "True", "JobSuspended"]]]);
    await cluster.change(Job, "j", (old) => ({ ...old, spec: { ...old.spec, suspend: false } }));
    await cluster.pass(5000);
    expect(conditions(cluster).at(-1)).toEqual(["Complete", "True", "CompletionsReached"]);
  });

  test("that runs too long fails at its deadline", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(job({ activeDeadlineSeconds: 10 }, { [RUN_FOR]: "1h" }));
    await cluster.pass(12_000, 500);
    expect(conditions(cluster).at(-1)).toEqual(["Failed", "True", "DeadlineExceeded"]);
    expect(podsOf(cluster, "j")).toEqual([]);
  });

  test("is deleted once its time after the end is over", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(job({ ttlSecondsAfterFinished: 60 }));
    await cluster.pass(30_000, 1000);
    expect(cluster.names(Job)).toEqual(["j"]);
    await cluster.pass(60_000, 1000);
    expect([cluster.names(Job), podsOf(cluster, "j")]).toEqual([[], []]);
  });
});
