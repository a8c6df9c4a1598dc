import { Event, Job } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { EXIT_CODE_ANNOTATION, RUN_FOR_ANNOTATION } from "../simulation-annotations.ts";
import type { Pod } from "../pod/pod.ts";
import { onEachWrite, podsOf, mustGet, template } from "../workload.fixture.ts";

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
  const conditions = (cluster: ControllerHarness): readonly unknown[] =>
    (mustGet(cluster, Job, "j").status?.conditions ?? []).map(({ type, status, reason }) => [type, status, reason]);

  test("completes after enough successful pods, within its parallelism", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    let most = 0;
    onEachWrite(cluster, "pods", (objects) => {
      most = Math.max(
        most,
        (objects as unknown as readonly Pod[]).filter(({ status }) => status?.phase !== "Succeeded").length,
      );
    });
    await cluster.apply(job({ completions: 5, parallelism: 2 }));
    await cluster.advance(10_000);
    expect(conditions(cluster)).toEqual([
      ["SuccessCriteriaMet", "True", "CompletionsReached"],
      ["Complete", "True", "CompletionsReached"],
    ]);
    const { status } = mustGet(cluster, Job, "j");
    expect([status?.succeeded, status?.active, status?.completionTime !== undefined, most]).toEqual([
      5,
      undefined,
      true,
      2,
    ]);
    expect(cluster.actor.list(Event).map(({ reason }) => reason)).toContain("Completed");
  });

  test("fails after too many pod failures, with a growing backoff", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(job({ backoffLimit: 2 }, { [EXIT_CODE_ANNOTATION]: "1" }));
    await cluster.advance(20_000, 500);
    expect(mustGet(cluster, Job, "j").status?.failed).toBe(2);
    await cluster.advance(40_000, 500);
    expect(conditions(cluster)).toEqual([
      ["FailureTarget", "True", "BackoffLimitExceeded"],
      ["Failed", "True", "BackoffLimitExceeded"],
    ]);
    expect(mustGet(cluster, Job, "j").status?.failed).toBe(3);
  });

  test("with indexes runs each index once", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(job({ completions: 4, parallelism: 4, completionMode: "Indexed" }));
    await cluster.advance(5000);
    expect(mustGet(cluster, Job, "j").status).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
    expect(new Set(podsOf(cluster, "j").map(({ spec }) => spec?.hostname))).toEqual(
      new Set(["j-0", "j-1", "j-2", "j-3"]),
    );
  });

  test("that is suspended has no pods until it is resumed", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(job({ suspend: true }));
    await cluster.advance(1000);
    expect([podsOf(cluster, "j"), conditions(cluster)]).toEqual([[], [["Suspended", "True", "JobSuspended"]]]);
    await cluster.update(Job, "j", (old) => ({ ...old, spec: { ...old.spec, suspend: false } }));
    await cluster.advance(5000);
    expect(conditions(cluster).at(-1)).toEqual(["Complete", "True", "CompletionsReached"]);
  });

  test("fails at its active deadline", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(job({ activeDeadlineSeconds: 10 }, { [RUN_FOR_ANNOTATION]: "1h" }));
    await cluster.advance(12_000, 500);
    expect(conditions(cluster).at(-1)).toEqual(["Failed", "True", "DeadlineExceeded"]);
    expect(podsOf(cluster, "j")).toEqual([]);
  });

  test("is deleted after its TTL", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(job({ ttlSecondsAfterFinished: 60 }));
    await cluster.advance(30_000, 1000);
    expect(cluster.names(Job)).toEqual(["j"]);
    await cluster.advance(60_000, 1000);
    expect([cluster.names(Job), podsOf(cluster, "j")]).toEqual([[], []]);
  });
});
