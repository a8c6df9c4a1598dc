import { DaemonSet, Deployment, hashJson, Job, readinessOf, s, Secret, StatefulSet } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { Step } from "../../engine/index.ts";
import { App, deploymentOf } from "../job/app.fixture.ts";
import { input } from "../input/input.ts";
import { workload } from "./workload.ts";

const deploy = workload(App, "Deploy", {
  condition: "DeploymentReady",
  kind: Deployment,
  desired: ({ object }) => deploymentOf(object),
  status: ({ status }, { status: seen }) => {
    status.available = seen?.availableReplicas ?? 0;
  },
});

async function started(
  options: { readonly spec?: Readonly<Record<string, unknown>>; readonly workloads?: boolean } = {},
  steps: readonly Step<App>[] = [deploy],
): Promise<TestCluster> {
  const { spec = {}, workloads = true } = options;
  const cluster = await testCluster({ workloads });
  cluster.run(operator(App, steps));
  await cluster.apply(App, { name: "a", spec: { image: "web:1", replicas: 3, ...spec } });
  await cluster.untilIdle();
  return cluster;
}

async function later(cluster: TestCluster, ms: number): Promise<ObjectOf<App>> {
  await cluster.clock.advance(ms);
  return cluster.untilSettled(App, "a");
}

describe("a workload", () => {
  test("reports its rollout, and is passed on when it is rolled out", async () => {
    await using cluster = await started({ spec: { pods: { "sim.levelset.dev/ready-after": "5s" } } });
    expect(await later(cluster, 1_000)).toHaveCondition("DeploymentReady", "False", {
      severity: "Info",
      reason: "Requested",
      message: "deployment/a: 0 of 3 updated replicas available",
    });
    const app = await later(cluster, 10_000);
    expect(app).toBeReady();
    expect(app.status?.available).toBe(3);
  });

  test("causes no writes once settled", async () => {
    await using cluster = await started();
    expect(await later(cluster, 10_000)).toBeReady();
    const writes = cluster.faults.count(isWrite);
    await cluster.patch(App, "a", { metadata: { labels: { touched: "true" } } });
    await later(cluster, 3_600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test.each([
    [{ readyReplicas: 3, updatedReplicas: 1, replicas: 4 }, 0, "False"],
    [{ readyReplicas: 3, updatedReplicas: 3, replicas: 3 }, -1, "False"],
    [{ readyReplicas: 3, updatedReplicas: 3, replicas: 3 }, 1, "False"],
    [{ readyReplicas: 3, updatedReplicas: 3, replicas: 3 }, 0, "True"],
  ] as const)("with status %o and observed %i of its generation: %s", async (status, behind, expected) => {
    await using cluster = await started({ workloads: false });
    await cluster.patch(Deployment, "a", { spec: { paused: true } });
    const { generation = 0 } = (await cluster.untilSettled(Deployment, "a")).metadata;
    await cluster.patchStatus(Deployment, "a", { ...status, observedGeneration: generation + behind });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("DeploymentReady", expected);
  });

  test("without any replicas is ready once its controller has observed it", async () => {
    await using cluster = await started({ workloads: false, spec: { replicas: 0 } });
    expect(await cluster.untilSettled(App, "a")).not.toBeReady();
    await cluster.patchStatus(Deployment, "a", { replicas: 0, observedGeneration: 1 });
    expect(await cluster.untilSettled(App, "a")).toBeReady();
  });

  test("is never ready by a status of an older spec", async () => {
    await using cluster = await started();
    await later(cluster, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    await later(cluster, 60_000);
    for (const { metadata, status } of cluster.history(App, "a")) {
      const ready = status?.conditions?.find(({ type }) => type === "DeploymentReady");
      if (status?.observedGeneration !== metadata.generation || ready?.status !== "True") continue;
      const version = Number(metadata.resourceVersion);
      const seen = cluster.history(Deployment, "a").findLast((each) => Number(each.metadata.resourceVersion) < version);
      expect(seen === undefined ? "absent" : readinessOf(seen).kind).toBe("ready");
      expect(seen?.spec.template.spec?.containers[0]?.image).toBe(metadata.generation === 1 ? "web:1" : "web:2");
    }
    expect(await cluster.untilSettled(App, "a")).toBeReady();
  });

  test("delays the readiness of its owner, not its observedGeneration", async () => {
    await using cluster = await started({ workloads: false });
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    const app = await cluster.untilSettled(App, "a");
    const deployment = await cluster.get(Deployment, "a");
    expect([deployment?.metadata.generation, deployment?.status?.observedGeneration]).toEqual([2, undefined]);
    expect([app.metadata.generation, app.status?.observedGeneration]).toEqual([2, 2]);
    expect(app).toHaveCondition("Ready", "False", { severity: "Info" });
  });

  test("that exceeds its progress deadline is an error, and recovers by itself", async () => {
    await using cluster = await started({ spec: { pods: { "sim.levelset.dev/fail": "NeverReady" } } });
    const stuck = await later(cluster, 700_000);
    expect(stuck).toHaveCondition("DeploymentReady", "False", {
      severity: "Error",
      reason: "ProgressDeadlineExceeded",
      message: /^deployment\/a: ReplicaSet "a-\w+" has timed out progressing\.$/u,
    });
    await cluster.patch(App, "a", { spec: { pods: { "sim.levelset.dev/fail": "" } } });
    expect(await later(cluster, 60_000)).toBeReady();
  });

  test("under a new name replaces the old one once it is ready", async () => {
    const renamed = workload(App, "Deploy", {
      kind: Deployment,
      desired: ({ object, spec }) => {
        const { spec: desired } = deploymentOf(object);
        return { metadata: { name: spec.image.replace(":", "-") }, spec: desired };
      },
    });
    await using cluster = await started({}, [renamed]);
    await later(cluster, 10_000);
    await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/ready-after": "5s" } } });
    await later(cluster, 2_000);
    expect((await cluster.list(Deployment)).map(({ metadata }) => metadata.name)).toEqual(["web-1", "web-2"]);
    expect(await later(cluster, 60_000)).toBeReady();
    expect((await cluster.list(Deployment)).map(({ metadata }) => metadata.name)).toEqual(["web-2"]);
  });

  test("is deleted when it is no longer desired", async () => {
    const optional = workload(App, "Deploy", {
      kind: Deployment,
      desired: ({ object }) => (object.spec.replicas === 0 ? undefined : deploymentOf(object)),
    });
    await using cluster = await started({}, [optional]);
    await cluster.patch(App, "a", { spec: { replicas: 0 } });
    expect(await later(cluster, 60_000)).toBeReady();
    await cluster.untilDeleted(Deployment, "a");
  });

  test("may be a StatefulSet or a DaemonSet", async () => {
    const set = workload(App, "Set", {
      kind: StatefulSet,
      desired: ({ object, spec: { replicas } }) => {
        const { selector, template } = deploymentOf(object).spec;
        return { metadata: { name: "a" }, spec: { selector, template, replicas, serviceName: "a" } };
      },
    });
    const agents = workload(App, "Agents", {
      uses: [set],
      kind: DaemonSet,
      desired: (req) => {
        const { selector, template } = req.from(set).spec;
        return { metadata: { name: "a" }, spec: { selector, template } };
      },
    });
    await using cluster = await started({}, [set, agents]);
    expect(await later(cluster, 1)).toHaveCondition("Set", "False", { message: /^statefulset\/a: \d of 3 replicas/u });
    expect(await later(cluster, 60_000)).toBeReady();
    expect((await cluster.untilSettled(DaemonSet, "a")).status?.numberAvailable).toBe(1);
  });

  test("accepts only workload kinds", () => {
    // @ts-expect-error A Job is not a workload.
    expect(workload(App, "Other", { kind: Job, desired: () => undefined })).toBeDefined();
    expectTypeOf(deploy).toExtend<Step<App, ObjectOf<typeof Deployment>>>();
  });

  test("is reconciled when any one response is lost", async () => {
    const life = async (nth: number): Promise<number> => {
      const cluster = await testCluster({ workloads: true, seed: nth });
      await using _ = cluster;
      cluster.faults.failNth(nth, { kind: "response-lost" }, isWrite);
      cluster.run(operator(App, [deploy]));
      await cluster.apply(App, { name: "a", spec: { image: "web:1", replicas: 2 } });
      await later(cluster, 30_000);
      await cluster.patch(App, "a", { spec: { image: "web:2" } });
      expect(await later(cluster, 120_000)).toBeReady();
      const { spec, metadata } = await cluster.untilSettled(Deployment, "a");
      expect([spec.template.spec?.containers[0]?.image, metadata.generation]).toEqual(["web:2", 2]);
      await cluster.delete(App, "a");
      await cluster.clock.advance(60_000);
      await cluster.untilDeleted(Deployment, "a");
      return cluster.faults.count(isWrite);
    };
    const writes = await life(1_000);
    for (let nth = 1; nth <= writes; nth++) await life(nth);
  });
});

describe("a config hash", () => {
  const config = input(App, "Config", {
    secret: ({ spec }) => spec.configSecret,
    keys: { password: s.text() },
  });
  const configured = workload(App, "Deploy", {
    uses: [config],
    kind: Deployment,
    desired: (req) => deploymentOf(req.object, { "levelset.dev/config": hashJson(req.from(config)) }),
  });

  test("rolls the pods once when a used key changes, and only then", async () => {
    const cluster = await started({ spec: { configSecret: "config" } }, [config, configured]);
    await using _ = cluster;
    await cluster.create(Secret, { name: "config", stringData: { password: "one", unused: "x" } });
    expect(await later(cluster, 10_000)).toBeReady();
    const hashes = (): readonly (string | undefined)[] => [
      ...new Set(
        cluster
          .history(Deployment, "a")
          .map(({ spec }) => spec.template.metadata?.annotations?.["levelset.dev/config"]),
      ),
    ];
    const before = await cluster.untilSettled(Deployment, "a");
    await cluster.patch(Secret, "config", { data: { unused: "eQ==" }, metadata: { labels: { a: "b" } } });
    await cluster.patch(Secret, "config", { metadata: { annotations: { a: "b" } } });
    expect(await later(cluster, 10_000)).toBeReady();
    expect((await cluster.untilSettled(Deployment, "a")).metadata.generation).toBe(before.metadata.generation);
    await cluster.patch(Secret, "config", { stringData: { password: "two" } });
    expect(await later(cluster, 60_000)).toBeReady();
    expect((await cluster.untilSettled(Deployment, "a")).metadata.generation).toBe(
      (before.metadata.generation ?? 0) + 1,
    );
    expect(hashes()).toHaveLength(2);
    expect(JSON.stringify(cluster.history(Deployment, "a"))).not.toMatch(/"(?:one|two)"/u);
  });
});
