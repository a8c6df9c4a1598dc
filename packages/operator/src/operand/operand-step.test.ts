import { compareResourceVersions, ConfigMap, controllerOf, Deployment, findCondition, kind, s } from "@levelset/core";
import { annotatedOwnerOf } from "@levelset/core/internal";
import type { EmbeddedObject, Runnable } from "@levelset/core";
import { isWrite, seededRandom } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { manager, operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step } from "../engine/index.ts";
import { ClusterActiveOperand, manifestOf, Operand, operand, operandManager, operandOperators } from "./index.ts";

const KIND = {
  group: "test.levelset.dev",
  version: "v1",
  spec: s.object({
    configs: s.array(s.string()).default([]),
    image: s.string().optional(),
    extra: s.string().optional(),
    operandName: s.string().optional(),
  }),
  status: s.object({ version: s.string().optional() }),
};
const Suite = kind({ ...KIND, kind: "Suite" });
type Suite = typeof Suite;
const Estate = kind({ ...KIND, kind: "Estate", scope: "Cluster" });

const config = (name: string, text = ""): EmbeddedObject =>
  manifestOf(ConfigMap, { metadata: { name, namespace: "default" }, data: { text } });

function server(image: string): EmbeddedObject {
  const labels = { app: "server" };
  return manifestOf(Deployment, {
    metadata: { name: "server", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image }] } },
    },
  });
}

/** Operator that installs the set of a Suite or an Estate. */
function softwareOf(owner: Suite): Operator<Suite> {
  const tag = step(owner, "Tag", { do: ({ spec }) => ok(spec.extra ?? "") });
  const software = operand(owner, "Software", {
    condition: "SoftwareReady",
    uses: [tag],
    steadyState: ({ spec }) => [
      ...spec.configs.map((name) => config(name)),
      ...(spec.image === undefined ? [] : [server(spec.image)]),
    ],
    postInstall: (req) => (req.from(tag) === "" ? [] : [config("last", req.from(tag))]),
    spec: () => ({ prune: { mode: "Immediate" } }),
    name: ({ spec, namespace, name }) => spec.operandName ?? `${namespace ?? "cluster"}.${name}`,
    status: (req, { status }) => {
      req.status.version = status?.latestReadyActiveOperand;
    },
  });
  return operator(owner, [tag, software]);
}

const operators = (): Runnable => manager([softwareOf(Suite), ...operandOperators()]);

async function configs(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

describe("the operand step", () => {
  test("installs the rendered set and is ready when the Operand is", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    const waiting = await cluster.untilSettled(Suite, "a");
    expect(waiting).toHaveCondition("SoftwareReady", "False", {
      reason: "Waiting",
      message: /^operand\/default\.a: /u,
    });
    expect(await configs(cluster)).toEqual(["x"]);
    await cluster.clock.advance(10_000);
    const suite = await cluster.untilSettled(Suite, "a");
    expect(suite).toBeReady();
    expect(await configs(cluster)).toEqual(["last", "x"]);
    const made = await cluster.untilSettled(Operand, "default.a");
    expect(suite.status?.version).toBe(made.status?.latestReadyActiveOperand);
    expect(annotatedOwnerOf(made)).toMatchObject({ kind: "Suite", namespace: "default", name: "a" });
    expect(controllerOf(made)).toBeUndefined();
  });

  test("reports the object that blocks the deletion of its set, and completes once that is gone", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], extra: "tag" } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: ["example.com/f"] } });
    await cluster.delete(Suite, "a");
    await cluster.untilIdle();
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", {
      reason: "WaitingForDeletion",
      message: /^operand\/default\.a is being deleted.*configmap\/last in default .*finalizers example\.com\/f/u,
    });
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: null } });
    await cluster.untilDeleted(Suite, "a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("sets an owner reference on the Operand of a cluster-scoped owner", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Estate, "a")).toBeReady();
    expect(controllerOf(await cluster.untilSettled(Operand, "cluster.a"))).toMatchObject({ kind: "Estate", name: "a" });
    await cluster.delete(Estate, "a");
    await cluster.untilDeleted(Estate, "a");
    await cluster.untilDeleted(Operand, "cluster.a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("keeps the Operand and its set when such an owner is deleted with orphan propagation", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    await cluster.untilIdle();
    const url = "http://cluster.invalid/apis/test.levelset.dev/v1/estates/a?propagationPolicy=Orphan";
    await cluster.fetch(new Request(url, { method: "DELETE" }));
    await cluster.untilDeleted(Estate, "a");
    const left = await cluster.untilSettled(Operand, "cluster.a");
    expect(left).toBeReady();
    expect(controllerOf(left)).toBeUndefined();
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("is never ready for a set that the Operand has not installed", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1" } });
    await cluster.clock.advance(10_000);
    for (const [round, lagMs] of [0, 300, 2_000].entries()) {
      cluster.faults.delayResponses(lagMs);
      await cluster.patch(Suite, "a", { spec: { configs: [`x${round}`], image: `app:${round + 2}` } });
      await cluster.clock.advance(30_000);
    }
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect(await configs(cluster)).toEqual(["x2"]);
    let checked = 0;
    for (const { metadata, spec, status } of cluster.history(Suite, "a")) {
      const ready = findCondition(status?.conditions, "Ready");
      if (status?.observedGeneration !== metadata.generation || ready?.status !== "True") continue;
      const live = cluster
        .history(Deployment, "server")
        .findLast((one) => compareResourceVersions(one.metadata.resourceVersion, metadata.resourceVersion) < 0);
      expect(live?.spec?.template.spec?.containers[0]?.image).toBe(spec.image);
      expect(live?.status?.readyReplicas).toBe(1);
      checked++;
    }
    expect(checked).toBeGreaterThanOrEqual(4);
  });

  test("forwards the Operand's message about an invalid set", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x", "x"] } });
    const suite = await cluster.untilSettled(Suite, "a");
    expect(suite).toHaveCondition("Ready", "False", {
      severity: "Error",
      reason: "InvalidManifest",
      message:
        /operand\/default\.a: steadyState\[1\]: configmap\/x in default is already declared at steadyState\[0\]/u,
    });
  });

  test("writes nothing once settled, also after a restart", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await first.stop();
    const before = cluster.faults.count(isWrite);
    cluster.run(operators());
    await cluster.clock.advance(3_600_000);
    await cluster.untilIdle();
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("recreates the Operand when another client deletes it", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    const before = await cluster.untilSettled(Operand, "default.a");
    await cluster.delete(Operand, "default.a");
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect((await cluster.untilSettled(Operand, "default.a")).metadata.uid).not.toBe(before.metadata.uid);
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("moves to another Operand when its name changes, without deleting objects", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    await cluster.untilIdle();
    const before = await cluster.get(ConfigMap, "x");
    await cluster.patch(Suite, "a", { spec: { operandName: "moved" } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect((await cluster.list(Operand)).map(({ metadata }) => metadata.name)).toEqual(["moved"]);
    expect((await cluster.get(ConfigMap, "x"))?.metadata.uid).toBe(before?.metadata.uid);
  });

  test("does not touch an Operand of another owner and reports it", async () => {
    await using cluster = await testCluster();
    cluster.run(operators());
    await cluster.create(Operand, { name: "default.a", spec: { steadyState: [config("theirs")] } });
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", { reason: "NotOurs" });
    await cluster.delete(Suite, "a");
    await cluster.untilDeleted(Suite, "a");
    expect(await configs(cluster)).toEqual(["theirs"]);
  });

  test("keeps the owner until the Operand and its set are gone", async () => {
    await using cluster = await testCluster();
    cluster.run(softwareOf(Suite));
    const controllers = cluster.run(operandManager());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    await controllers.stop();
    await cluster.delete(Suite, "a");
    expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("Ready", "False", {
      message: /operand\/default\.a/u,
    });
    expect(await configs(cluster)).toEqual(["x"]);
    cluster.run(operandManager());
    await cluster.untilDeleted(Suite, "a");
    expect(await cluster.list(Operand)).toEqual([]);
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(await configs(cluster)).toEqual([]);
  });
});

/** Writes of this step and its operator. The writes of the Operand's own operators are tested elsewhere. */
const isOurWrite: RequestFilter = (request) => isWrite(request) && /\/suites\/|\/operands\/[^/]+$/u.test(request.path);

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await cluster.untilIdle();
    if (cluster.faults.isCrashed) {
      cluster.faults.restart();
      cluster.run(operators());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.untilIdle();
}

/** Installs, changes, renames and removes a set under faults. Returns the number of requests. */
async function runLifecycle(injectFaults: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster();
  cluster.run(operators());
  injectFaults(cluster);
  await cluster.create(ConfigMap, { name: "theirs" });
  await cluster.create(Suite, { name: "a", spec: {} });
  const reached = async (spec: object, there: readonly string[]): Promise<void> => {
    await cluster.patch(Suite, "a", { spec });
    await calm(cluster);
    expect(await cluster.untilSettled(Suite, "a")).toBeReady();
    expect(await configs(cluster)).toEqual(there);
  };
  await reached({ configs: ["b", "c"] }, ["b", "c", "theirs"]);
  await reached({ configs: ["c", "d"], extra: "tag", operandName: "moved" }, ["c", "d", "last", "theirs"]);
  await cluster.delete(Suite, "a");
  await calm(cluster);
  await cluster.untilDeleted(Suite, "a");
  expect(await cluster.list(Operand)).toEqual([]);
  expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
  expect(await configs(cluster)).toEqual(["theirs"]);
  return cluster.faults.count(isOurWrite);
}

describe("a set that is installed by the operand step ends as declared and leaves no objects behind", () => {
  const faults: readonly Fault[] = [{ kind: "response-lost" }, { kind: "crash" }];

  test.each(faults)("when any one write fails with %j", async (fault) => {
    const writes = await runLifecycle(() => {});
    expect(writes).toBeGreaterThan(8);
    for (let nth = 1; nth <= writes; nth++)
      await runLifecycle((cluster) => cluster.faults.failNth(nth, fault, isOurWrite));
  });

  test("when its watches are delayed", async () => {
    const lag = seededRandom(7);
    const writes = await runLifecycle((cluster) => cluster.faults.delayResponses(() => lag.next() * 5_000));
    expect(writes).toBeGreaterThan(8);
  });
});
