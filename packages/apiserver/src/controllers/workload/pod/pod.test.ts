import { Pod as PodKind } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { EXIT_CODE_ANNOTATION, FAIL_ANNOTATION, STOP_AFTER_ANNOTATION } from "../simulation-annotations.ts";
import { getWorkloadCondition } from "../workload-condition.ts";
import { isPodReady, restartsOf } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { onEachWrite, mustGet, template } from "../workload.fixture.ts";

describe("a pod", () => {
  function pod(
    annotations: Readonly<Record<string, string>> = {},
    spec: object = {},
  ): Readonly<Record<string, unknown>> {
    const { spec: base } = template("a");
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", labels: { app: "a" }, annotations },
      spec: { ...base, ...spec },
    };
  }

  test("moves from ContainerCreating to Running to Ready", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    const phases: unknown[] = [];
    onEachWrite(cluster, "pods", ([object]) => {
      const { status } = object as unknown as Pod;
      const state = Object.keys(status?.containerStatuses?.[0]?.state ?? {})[0];
      phases.push([status?.phase, state, object !== undefined && isPodReady(object as unknown as Pod)]);
    });
    await cluster.apply(pod());
    await cluster.advance(1000);
    expect(phases.slice(-3)).toEqual([
      ["Pending", "waiting", false],
      ["Running", "running", false],
      ["Running", "running", true],
    ]);
    expect(mustGet(cluster, PodKind, "p").status?.podIP).toMatch(/^10\.244\./u);
  });

  test("stays until its containers have stopped within the grace period", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(pod({ [STOP_AFTER_ANNOTATION]: "20s" }));
    await cluster.advance(1000);
    await cluster.delete(PodKind, "p");
    await cluster.advance(19_000, 1000);
    expect(mustGet(cluster, PodKind, "p").metadata).toMatchObject({ deletionGracePeriodSeconds: 30 });
    await cluster.advance(2000);
    expect(cluster.names(PodKind)).toEqual([]);
  });

  test("is removed at once with a grace period of zero", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(pod({ [STOP_AFTER_ANNOTATION]: "20s" }));
    await cluster.advance(1000);
    await cluster.delete(PodKind, "p", { gracePeriodSeconds: 0 });
    expect(cluster.names(PodKind)).toEqual([]);
  });

  test("waits for a node that fits", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(pod({}, { nodeSelector: { disk: "fast" } }));
    await cluster.advance(1000);
    expect(getWorkloadCondition(mustGet(cluster, PodKind, "p").status?.conditions, "PodScheduled")?.reason).toBe(
      "Unschedulable",
    );
    await cluster.apply({ apiVersion: "v1", kind: "Node", metadata: { name: "n", labels: { disk: "fast" } } });
    await cluster.advance(1000);
    const found = mustGet(cluster, PodKind, "p");
    expect([found.spec?.nodeName, isPodReady(found)]).toEqual(["n", true]);
  });

  test("that crashes is restarted with a growing backoff", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(pod({ [EXIT_CODE_ANNOTATION]: "3" }));
    await cluster.advance(3000);
    const found = mustGet(cluster, PodKind, "p");
    expect(found.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 3, reason: "Error" } },
    });
    await cluster.advance(60_000, 5000);
    expect(restartsOf(mustGet(cluster, PodKind, "p"))).toBe(3);
  });

  test("that cannot start reports the reason, and starts once it is fixed", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await cluster.apply(pod({ [FAIL_ANNOTATION]: "CreateContainerConfigError" }));
    await cluster.advance(1000);
    expect(mustGet(cluster, PodKind, "p").status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe(
      "CreateContainerConfigError",
    );
    await cluster.update(PodKind, "p", (old) => ({ ...old, metadata: { ...old.metadata, annotations: {} } }));
    await cluster.advance(1000);
    expect(isPodReady(mustGet(cluster, PodKind, "p"))).toBe(true);
  });
});
