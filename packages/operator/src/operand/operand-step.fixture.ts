import { ConfigMap, Deployment, kind, s } from "@levelset/core";
import type { EmbeddedObject, Runnable } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect } from "vitest";
import { manager, operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step } from "../engine/index.ts";
import { ClusterActiveOperand, manifestOf, Operand, operand, operandOperators } from "./index.ts";

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
/** A namespaced kind that installs a set. */
export const Suite = kind({ ...KIND, kind: "Suite" });
/** Type of {@link Suite}. */
export type Suite = typeof Suite;
/** The same kind, cluster-scoped. */
export const Estate = kind({ ...KIND, kind: "Estate", scope: "Cluster" });

/** A ConfigMap of the set. */
export const config = (name: string, text = ""): EmbeddedObject =>
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
export function softwareOf(owner: Suite): Operator<Suite> {
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

/** The operators of Suites and Operands. */
export const operators = (): Runnable => manager([softwareOf(Suite), ...operandOperators()]);

/** Returns the names of the ConfigMaps. */
export async function configs(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

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
export async function runLifecycle(injectFaults: (cluster: TestCluster) => void): Promise<number> {
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

/** Runs the lifecycle with the fault at each write of the step, one after the other. Returns the number of writes. */
export async function runWithFaultAtEachWrite(fault: Fault): Promise<number> {
  const writes = await runLifecycle(() => {});
  for (let nth = 1; nth <= writes; nth++) {
    await runLifecycle((cluster) => cluster.faults.failNth(nth, fault, isOurWrite));
  }
  return writes;
}
