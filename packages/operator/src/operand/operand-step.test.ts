import {
  compareResourceVersions,
  ConfigMap,
  controllerOf,
  Deployment,
  findCondition,
  kind,
  markedOwner,
  s,
} from "@levelset/core";
import type { EmbeddedObject, Runnable } from "@levelset/core";
import { isWrite, seededRandom } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { manager, operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";
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

/** Installs what a Suite, or an Estate, asks for. */
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

const everything = (): Runnable => manager([softwareOf(Suite), ...operandOperators()]);

async function configs(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

describe("the step operand", () => {
  test("installs what it renders, and is ready when the Operand is", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    const waiting = await cluster.settled(Suite, "a");
    expect(waiting).toHaveCondition("SoftwareReady", "False", {
      reason: "Waiting",
      message: /^operand\/default\.a: /u,
    });
    expect(await configs(cluster)).toEqual(["x"]);
    await cluster.clock.advance(10_000);
    const suite = await cluster.settled(Suite, "a");
    expect(suite).toBeReady();
    expect(await configs(cluster)).toEqual(["last", "x"]);
    const made = await cluster.settled(Operand, "default.a");
    expect(suite.status?.version).toBe(made.status?.latestReadyActiveOperand);
    expect(markedOwner(made)).toMatchObject({ kind: "Suite", namespace: "default", name: "a" });
    expect(controllerOf(made)).toBeUndefined();
  });

  test("says which object holds up the deletion of its set, and ends when that is gone", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], extra: "tag" } });
    expect(await cluster.settled(Suite, "a")).toBeReady();
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: ["example.com/f"] } });
    await cluster.delete(Suite, "a");
    await cluster.rest();
    expect(await cluster.settled(Suite, "a")).toHaveCondition("SoftwareReady", "False", {
      reason: "WaitingForDeletion",
      message: /^operand\/default\.a is being deleted.*configmap\/last in default .*finalizers example\.com\/f/u,
    });
    await cluster.patch(ConfigMap, "last", { metadata: { finalizers: null } });
    await cluster.gone(Suite, "a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("of an object in no namespace makes an Operand that refers to it", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.settled(Estate, "a")).toBeReady();
    expect(controllerOf(await cluster.settled(Operand, "cluster.a"))).toMatchObject({ kind: "Estate", name: "a" });
    await cluster.delete(Estate, "a");
    await cluster.gone(Estate, "a");
    await cluster.gone(Operand, "cluster.a");
    expect(await configs(cluster)).toEqual([]);
  });

  test("leaves the Operand and all that it installed when such an object is deleted without its dependents", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([softwareOf(Estate), ...operandOperators()]));
    await cluster.apply(Estate, { name: "a", spec: { configs: ["x"] } });
    await cluster.rest();
    const url = "http://cluster.invalid/apis/test.levelset.dev/v1/estates/a?propagationPolicy=Orphan";
    await cluster.fetch(new Request(url, { method: "DELETE" }));
    await cluster.gone(Estate, "a");
    const left = await cluster.settled(Operand, "cluster.a");
    expect(left).toBeReady();
    expect(controllerOf(left)).toBeUndefined();
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("never says ready of a set that the Operand has not reached", async () => {
    await using cluster = await testCluster({ workloads: true });
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1" } });
    await cluster.clock.advance(10_000);
    for (const [round, lagMs] of [0, 300, 2_000].entries()) {
      cluster.faults.lag(lagMs);
      await cluster.patch(Suite, "a", { spec: { configs: [`x${round}`], image: `app:${round + 2}` } });
      await cluster.clock.advance(30_000);
    }
    expect(await cluster.settled(Suite, "a")).toBeReady();
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

  test("passes on what is wrong with the set, in its words", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x", "x"] } });
    const suite = await cluster.settled(Suite, "a");
    expect(suite).toHaveCondition("Ready", "False", {
      severity: "Error",
      reason: "InvalidManifest",
      message: /operand\/default\.a: steadyState\[1\]: configmap\/x in default stands at steadyState\[0\] already/u,
    });
  });

  test("writes nothing at rest, also not when it is started anew", async () => {
    await using cluster = await testCluster({ workloads: true });
    const first = cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"], image: "app:1", extra: "tag" } });
    await cluster.clock.advance(10_000);
    expect(await cluster.settled(Suite, "a")).toBeReady();
    await first.stop();
    const before = cluster.faults.count(isWrite);
    cluster.run(everything());
    await cluster.clock.advance(3_600_000);
    await cluster.rest();
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("makes the Operand anew when somebody deletes it", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    const before = await cluster.settled(Operand, "default.a");
    await cluster.delete(Operand, "default.a");
    expect(await cluster.settled(Suite, "a")).toBeReady();
    expect((await cluster.settled(Operand, "default.a")).metadata.uid).not.toBe(before.metadata.uid);
    expect(await configs(cluster)).toEqual(["x"]);
  });

  test("moves to another Operand when its name changes, and takes no object away meanwhile", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    await cluster.rest();
    const before = await cluster.get(ConfigMap, "x");
    await cluster.patch(Suite, "a", { spec: { operandName: "moved" } });
    expect(await cluster.settled(Suite, "a")).toBeReady();
    expect((await cluster.list(Operand)).map(({ metadata }) => metadata.name)).toEqual(["moved"]);
    expect((await cluster.get(ConfigMap, "x"))?.metadata.uid).toBe(before?.metadata.uid);
  });

  test("leaves an Operand of somebody else alone and reports it", async () => {
    await using cluster = await testCluster();
    cluster.run(everything());
    await cluster.create(Operand, { name: "default.a", spec: { steadyState: [config("theirs")] } });
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.settled(Suite, "a")).toHaveCondition("SoftwareReady", "False", { reason: "NotOurs" });
    await cluster.delete(Suite, "a");
    await cluster.gone(Suite, "a");
    expect(await configs(cluster)).toEqual(["theirs"]);
  });

  test("keeps the object until the Operand and what it installed are gone", async () => {
    await using cluster = await testCluster();
    cluster.run(softwareOf(Suite));
    const controllers = cluster.run(operandManager());
    await cluster.apply(Suite, { name: "a", spec: { configs: ["x"] } });
    expect(await cluster.settled(Suite, "a")).toBeReady();
    await controllers.stop();
    await cluster.delete(Suite, "a");
    expect(await cluster.settled(Suite, "a")).toHaveCondition("Ready", "False", { message: /operand\/default\.a/u });
    expect(await configs(cluster)).toEqual(["x"]);
    cluster.run(operandManager());
    await cluster.gone(Suite, "a");
    expect(await cluster.list(Operand)).toEqual([]);
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(await configs(cluster)).toEqual([]);
  });
});

/** What this step and its operator write; the writes of the Operand's own operators have their tests elsewhere. */
const isOurWrite: RequestFilter = (request) => isWrite(request) && /\/suites\/|\/operands\/[^/]+$/u.test(request.path);

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await cluster.rest();
    if (cluster.faults.isCrashed) {
      cluster.faults.revive();
      cluster.run(everything());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.rest();
}

/** Installs, changes, renames and removes a set while something goes wrong. Answers with the number of calls. */
async function life(trouble: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster();
  cluster.run(everything());
  trouble(cluster);
  await cluster.create(ConfigMap, { name: "theirs" });
  await cluster.create(Suite, { name: "a", spec: {} });
  const reached = async (spec: object, there: readonly string[]): Promise<void> => {
    await cluster.patch(Suite, "a", { spec });
    await calm(cluster);
    expect(await cluster.settled(Suite, "a")).toBeReady();
    expect(await configs(cluster)).toEqual(there);
  };
  await reached({ configs: ["b", "c"] }, ["b", "c", "theirs"]);
  await reached({ configs: ["c", "d"], extra: "tag", operandName: "moved" }, ["c", "d", "last", "theirs"]);
  await cluster.delete(Suite, "a");
  await calm(cluster);
  await cluster.gone(Suite, "a");
  expect(await cluster.list(Operand)).toEqual([]);
  expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
  expect(await configs(cluster)).toEqual(["theirs"]);
  return cluster.faults.count(isOurWrite);
}

describe("software that is installed this way ends as declared and leaves nothing behind", () => {
  const faults: readonly Fault[] = [{ kind: "answer-lost" }, { kind: "crash" }];

  test.each(faults)("when any one write meets %j", async (fault) => {
    const writes = await life(() => {});
    expect(writes).toBeGreaterThan(8);
    for (let nth = 1; nth <= writes; nth++) await life((cluster) => cluster.faults.failNth(nth, fault, isOurWrite));
  });

  test("when its watches are late", async () => {
    const lag = seededRandom(7);
    const writes = await life((cluster) => cluster.faults.lag(() => lag.next() * 5_000));
    expect(writes).toBeGreaterThan(8);
  });
});
