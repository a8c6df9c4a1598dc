import { Pod as PodKind } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Cluster } from "../cluster.fixture.ts";
import { EXIT_CODE, FAIL, STOP_AFTER } from "./annotation.ts";
import { conditionOf } from "./condition.ts";
import { isPodReady, restartsOf } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { onEvery, seen, template } from "./workload.fixture.ts";

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

  test("goes from creating to running to ready", async () => {
    using cluster = await Cluster.start({ workloads: true });
    const phases: unknown[] = [];
    onEvery(cluster, "pods", ([object]) => {
      const { status } = object as unknown as Pod;
      const state = Object.keys(status?.containerStatuses?.[0]?.state ?? {})[0];
      phases.push([status?.phase, state, object !== undefined && isPodReady(object as unknown as Pod)]);
    });
    await cluster.apply(pod());
    await cluster.pass(1000);
    expect(phases.slice(-3)).toEqual([
      ["Pending", "waiting", false],
      ["Running", "running", false],
      ["Running", "running", true],
    ]);
    expect(seen(cluster, PodKind, "p").status?.podIP).toMatch(/^10\.244\./u);
  });

  test("gets its grace: it stays until its containers have stopped", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(pod({ [STOP_AFTER]: "20s" }));
    await cluster.pass(1000);
    await cluster.delete(PodKind, "p");
    await cluster.pass(19_000, 1000);
    expect(seen(cluster, PodKind, "p").metadata).toMatchObject({ deletionGracePeriodSeconds: 30 });
    await cluster.pass(2000);
    expect(cluster.names(PodKind)).toEqual([]);
  });

  test("goes at once when deleted without grace", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(pod({ [STOP_AFTER]: "20s" }));
    await cluster.pass(1000);
    await cluster.delete(PodKind, "p", { gracePeriodSeconds: 0 });
    expect(cluster.names(PodKind)).toEqual([]);
  });

  test("waits for a node that it fits on", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(pod({}, { nodeSelector: { disk: "fast" } }));
    await cluster.pass(1000);
    expect(conditionOf(seen(cluster, PodKind, "p").status?.conditions, "PodScheduled")?.reason).toBe("Unschedulable");
    await cluster.apply({ apiVersion: "v1", kind: "Node", metadata: { name: "n", labels: { disk: "fast" } } });
    await cluster.pass(1000);
    const found = seen(cluster, PodKind, "p");
    expect([found.spec?.nodeName, isPodReady(found)]).toEqual(["n", true]);
  });

  test("that crashes is restarted after a growing while", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(pod({ [EXIT_CODE]: "3" }));
    await cluster.pass(3000);
    const found = seen(cluster, PodKind, "p");
    expect(found.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 3, reason: "Error" } },
    });
    await cluster.pass(60_000, 5000);
    expect(restartsOf(seen(cluster, PodKind, "p"))).toBe(3);
  });

  test("that cannot start says why, and starts once that is mended", async () => {
    using cluster = await Cluster.start({ workloads: true });
    await cluster.apply(pod({ [FAIL]: "CreateContainerConfigError" }));
    await cluster.pass(1000);
    expect(seen(cluster, PodKind, "p").status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe(
      "CreateContainerConfigError",
    );
    await cluster.change(PodKind, "p", (old) => ({ ...old, metadata: { ...old.metadata, annotations: {} } }));
    await cluster.pass(1000);
    expect(isPodReady(seen(cluster, PodKind, "p"))).toBe(true);
  });
});
