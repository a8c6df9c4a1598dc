import { Deployment as DeploymentKind, ReplicaSet as ReplicaSetKind } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ControllerHarness } from "../../controller-harness.fixture.ts";
import { getWorkloadCondition } from "../workload-condition.ts";
import { FAIL_ANNOTATION, READY_AFTER_ANNOTATION } from "../simulation-annotations.ts";
import { isPodActive, isPodReady, POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { REVISION_ANNOTATION } from "./deployment-rollout.ts";
import type { Deployment } from "./deployment-rollout.ts";
import { onEachWrite, podsOf, template } from "../workload.fixture.ts";

async function deploy(cluster: ControllerHarness, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await cluster.apply({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 4,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { app: "web" } },
      template: template("web"),
      ...spec,
    },
  });
}

function web(cluster: ControllerHarness): Deployment {
  const found = cluster.get(DeploymentKind, "web");
  if (found === undefined) throw new Error("the deployment is missing");
  return found;
}

async function setTemplate(cluster: ControllerHarness, next: unknown): Promise<void> {
  await cluster.update(DeploymentKind, "web", (old) => ({ ...old, spec: { ...old.spec, template: next } }));
}

function progressing(cluster: ControllerHarness): readonly (string | undefined)[] {
  const condition = getWorkloadCondition(web(cluster).status?.conditions, "Progressing");
  return [condition?.status, condition?.reason];
}

/** Revision and size of each replica set. */
function sets(cluster: ControllerHarness): readonly (readonly [string | undefined, number | undefined])[] {
  return cluster.actor
    .list(ReplicaSetKind)
    .map(({ metadata, spec }) => [metadata.annotations?.[REVISION_ANNOTATION], spec?.replicas] as const)
    .toSorted(([a = ""], [b = ""]) => Number(a) - Number(b));
}

describe("a deployment", () => {
  test("creates its pods, and is available when they are ready", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster);
    await cluster.untilIdle();
    expect(web(cluster).status).toMatchObject({ observedGeneration: 1, replicas: 4, unavailableReplicas: 4 });
    expect(getWorkloadCondition(web(cluster).status?.conditions, "Available")?.status).toBe("False");
    await cluster.advance(1000);
    expect(web(cluster).status).toMatchObject({
      replicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      updatedReplicas: 4,
    });
    expect(getWorkloadCondition(web(cluster).status?.conditions, "Available")?.status).toBe("True");
    expect(progressing(cluster)).toEqual(["True", "NewReplicaSetAvailable"]);
    expect(podsOf(cluster, "web").every((pod) => pod.spec?.nodeName === "levelset-node-0")).toBe(true);
  });

  test("whose pods are invalid reports so once, tries again less and less often, and recovers", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    let reports = 0;
    const stop = onEachWrite(cluster, "replicasets.apps", () => (reports += 1));
    await deploy(cluster, { template: template("web", { image: "web:1 " }) }); // the server checks spaces in pods only
    await cluster.advance(60_000);
    stop();
    expect(reports).toBeLessThan(5);
    const failure = getWorkloadCondition(web(cluster).status?.conditions, "ReplicaFailure");
    expect(failure).toMatchObject({ status: "True", reason: "FailedCreate" });
    expect(failure?.message).toContain("must not have leading or trailing whitespace");
    await setTemplate(cluster, template("web"));
    await cluster.advance(5000);
    expect(web(cluster).status).toMatchObject({ replicas: 4, availableReplicas: 4 });
    expect(getWorkloadCondition(web(cluster).status?.conditions, "ReplicaFailure")).toBeUndefined();
  });

  test("does not write once it is available", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster);
    await cluster.advance(2000);
    const { revision } = cluster.store;
    await cluster.advance(3_600_000, 600_000);
    expect(cluster.store.revision).toBe(revision);
  });

  const LIMITS = [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: "25%", maxUnavailable: "25%" },
    { maxSurge: 2, maxUnavailable: 2 },
    { maxSurge: "100%", maxUnavailable: 0 },
  ] as const;

  test.for(LIMITS)("stays within %j during the whole rollout", async (rollingUpdate) => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { strategy: { type: "RollingUpdate", rollingUpdate } });
    await cluster.advance(1000);
    const count = (limit: number | string, round: (value: number) => number): number =>
      typeof limit === "number" ? limit : round((Number.parseInt(limit, 10) * 4) / 100);
    const most = 4 + count(rollingUpdate.maxSurge, Math.ceil);
    const least = 4 - count(rollingUpdate.maxUnavailable, Math.floor);
    const seen = { most: 0, least: 99 };
    const stop = onEachWrite(cluster, "pods", (objects) => {
      const pods = (objects as unknown as readonly Pod[]).filter(isPodActive);
      seen.most = Math.max(seen.most, pods.length);
      seen.least = Math.min(seen.least, pods.filter(isPodReady).length);
    });
    await setTemplate(cluster, template("web", { image: "web:2" }));
    await cluster.advance(5000);
    stop();
    expect(seen.most).toBeLessThanOrEqual(most);
    expect(seen.least).toBeGreaterThanOrEqual(least);
    expect(sets(cluster)).toEqual([
      ["1", 0],
      ["2", 4],
    ]);
    expect(podsOf(cluster, "web").map((pod) => pod.spec?.containers?.[0]?.image)).toEqual(Array(4).fill("web:2"));
  });

  test("takes the revision of each new replica set in one write, and never an older one", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    const revisions: (string | undefined)[] = [];
    const stop = onEachWrite(cluster, "deployments.apps", ([deployment]) => {
      const revision = deployment?.metadata.annotations?.[REVISION_ANNOTATION];
      if (revision !== revisions.at(-1)) revisions.push(revision);
    });
    await deploy(cluster);
    await cluster.advance(2000);
    await setTemplate(cluster, template("web", { image: "web:2" }));
    await cluster.advance(5000);
    stop();
    expect(revisions).toEqual(["1", "2"]);
  });

  test("with Recreate never has pods of two templates", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { strategy: { type: "Recreate" } });
    await cluster.advance(1000);
    const images: number[] = [];
    const stop = onEachWrite(cluster, "pods", (objects) => {
      images.push(new Set((objects as unknown as readonly Pod[]).map((pod) => pod.spec?.containers?.[0]?.image)).size);
    });
    await setTemplate(cluster, template("web", { image: "web:2" }));
    await cluster.advance(2000);
    stop();
    expect(Math.max(...images)).toBe(1);
    expect(web(cluster).status).toMatchObject({ updatedReplicas: 4, availableReplicas: 4 });
  });

  test("whose new pods never start keeps the old ones, and reports it at its deadline", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { progressDeadlineSeconds: 30 });
    await cluster.advance(1000);
    await setTemplate(cluster, template("web", { image: "web:does-not-exist" }));
    await cluster.advance(10_000, 1000);
    expect(progressing(cluster)).toEqual(["True", "ReplicaSetUpdated"]);
    await cluster.advance(31_000, 1000);
    expect(progressing(cluster)).toEqual(["False", "ProgressDeadlineExceeded"]);
    expect(podsOf(cluster, "web").filter(isPodReady)).toHaveLength(3);
    const waiting = podsOf(cluster, "web").flatMap(
      (pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason ?? [],
    );
    expect(new Set(waiting)).toEqual(new Set(["ImagePullBackOff"]));
    await setTemplate(cluster, template("web"));
    await cluster.advance(3000);
    expect(progressing(cluster)).toEqual(["True", "NewReplicaSetAvailable"]);
    expect(sets(cluster)).toEqual([
      ["2", 0],
      ["3", 4],
    ]);
  });

  test("waits for pods that become ready slowly", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, {
      template: template("web", { annotations: { [READY_AFTER_ANNOTATION]: "5s" } }),
      minReadySeconds: 3,
    });
    await cluster.advance(4000);
    expect(web(cluster).status?.readyReplicas).toBeUndefined();
    await cluster.advance(2000);
    expect([web(cluster).status?.readyReplicas, web(cluster).status?.availableReplicas]).toEqual([4, undefined]);
    await cluster.advance(3000);
    expect(web(cluster).status?.availableReplicas).toBe(4);
  });

  test("scales up and down, also during a rollout", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster);
    await cluster.advance(1000);
    await setTemplate(cluster, template("web", { annotations: { [FAIL_ANNOTATION]: "NeverReady" } }));
    await cluster.advance(1000);
    await cluster.update(DeploymentKind, "web", (old) => ({ ...old, spec: { ...old.spec, replicas: 8 } }));
    await cluster.advance(1000);
    const sizes = sets(cluster).map(([, size]) => size ?? 0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10);
    expect(podsOf(cluster, "web").filter(isPodReady).length).toBeGreaterThanOrEqual(5);
    await setTemplate(cluster, template("web"));
    await cluster.advance(3000);
    expect(web(cluster).status).toMatchObject({ replicas: 8, availableReplicas: 8 });
  });

  test("that is paused scales but does not roll out", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster);
    await cluster.advance(1000);
    await cluster.update(DeploymentKind, "web", (old) => ({
      ...old,
      spec: { ...old.spec, paused: true, replicas: 6, template: template("web", { image: "web:2" }) },
    }));
    await cluster.advance(1000);
    expect(sets(cluster)).toEqual([["1", 6]]);
    expect(progressing(cluster)).toEqual(["Unknown", "DeploymentPaused"]);
    await cluster.update(DeploymentKind, "web", (old) => ({ ...old, spec: { ...old.spec, paused: false } }));
    await cluster.advance(5000);
    expect(sets(cluster)).toEqual([
      ["1", 0],
      ["2", 6],
    ]);
    expect(progressing(cluster)).toEqual(["True", "NewReplicaSetAvailable"]);
  });

  test("keeps revisionHistoryLimit old replica sets", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { replicas: 1, revisionHistoryLimit: 1 });
    for (const image of ["web:1", "web:2", "web:3", "web:4"]) {
      await setTemplate(cluster, template("web", { image }));
      await cluster.advance(2000);
    }
    expect(sets(cluster)).toEqual([
      ["3", 0],
      ["4", 1],
    ]);
  });

  test("uses another name for its replica set on a collision", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { replicas: 1 });
    await cluster.advance(1000);
    const [first] = cluster.names(ReplicaSetKind);
    await cluster.delete(DeploymentKind, "web");
    await cluster.advance(1000);
    const other = { app: "other" };
    await cluster.apply({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: first },
      spec: { replicas: 0, selector: { matchLabels: other }, template: template("other") },
    });
    await deploy(cluster, { replicas: 1 });
    await cluster.advance(1000);
    expect(web(cluster).status).toMatchObject({ collisionCount: 1, availableReplicas: 1 });
  });

  test("adopts pods by labels, and releases pods that lose them", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster, { replicas: 2 });
    await cluster.advance(1000);
    const [lost] = podsOf(cluster, "web");
    if (lost === undefined) throw new Error("expected two pods");
    await cluster.update(POD_KIND, lost.metadata.name, (old) => ({
      ...old,
      metadata: { ...old.metadata, labels: { app: "lost" } },
    }));
    await cluster.advance(1000);
    expect(podsOf(cluster, "web")).toHaveLength(2);
    expect(podsOf(cluster, "lost")[0]?.metadata.ownerReferences).toBeUndefined();
  });

  test("continues a rollout after a restart", async () => {
    const first = await ControllerHarness.start({ workloads: true });
    await deploy(first);
    await first.advance(1000);
    await setTemplate(first, template("web", { image: "web:2" }));
    await first.advance(250, 50);
    first[Symbol.dispose]();
    using second = await ControllerHarness.start({ workloads: true, store: first.store, clock: first.clock });
    await second.advance(5000);
    expect(sets(second)).toEqual([
      ["1", 0],
      ["2", 4],
    ]);
    expect(progressing(second)).toEqual(["True", "NewReplicaSetAvailable"]);
  });

  test("is deleted with its replica sets and pods", async () => {
    using cluster = await ControllerHarness.start({ workloads: true });
    await deploy(cluster);
    await cluster.advance(1000);
    await cluster.delete(DeploymentKind, "web", { propagationPolicy: "Foreground" });
    await cluster.untilIdle();
    expect(cluster.names(DeploymentKind)).toEqual(["web"]);
    await cluster.advance(1000);
    expect([cluster.names(DeploymentKind), cluster.names(ReplicaSetKind), podsOf(cluster, "web")]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
