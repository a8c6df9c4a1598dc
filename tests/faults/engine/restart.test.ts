import { Deployment, kind, s } from "@levelset/core";
import type { EmbeddedObject, Job, NewOf, Runnable } from "@levelset/core";
import type { RecordedRequest } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import {
  child,
  job,
  jobRecord,
  Operand,
  operandManager,
  operandOperators,
  operator,
  workload,
} from "@levelset/operator";
import { describe, expect, test } from "vitest";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ image: s.string().default("web:1") }),
  status: s.object({ migration: jobRecord.optional() }),
});

const labels = { app: "shop" };

/** The server drops `paused` and `hostNetwork`, so that the stored object never equals the manifest. */
function web(image: string): NewOf<typeof Deployment> {
  const template = { metadata: { labels }, spec: { hostNetwork: false, containers: [{ name: "web", image }] } };
  return { metadata: { name: "web" }, spec: { paused: false, selector: { matchLabels: labels }, template } };
}

function migration(image: string): NewOf<typeof Job> {
  const pod = { restartPolicy: "Never" as const, hostNetwork: false, containers: [{ name: "main", image }] };
  return { metadata: { name: "migrate" }, spec: { template: { spec: pod }, backoffLimit: 0 } };
}

const manifest = (image: string): EmbeddedObject => {
  const { spec } = web(image);
  // A manifest is an object of its kind, without the index signature.
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default" }, spec } as never;
};

/** A declaration, and the objects that its processes reconcile. */
interface Scenario {
  readonly title: string;
  readonly declare: () => Runnable;
  readonly create: (cluster: TestCluster) => Promise<unknown>;
  /** Changes an object that the process applied, as another client does. */
  readonly edit?: (cluster: TestCluster) => Promise<unknown>;
  /** Changes the desired state. */
  readonly change: (cluster: TestCluster) => Promise<unknown>;
  readonly workloads?: boolean;
}

const edit = (cluster: TestCluster): Promise<unknown> =>
  cluster.patch(Deployment, "web", { metadata: { labels: { theirs: "1" } }, spec: { replicas: 2 } });

const shop = {
  create: (cluster: TestCluster) => cluster.create(Shop, { name: "a", spec: {} }),
  change: (cluster: TestCluster) => cluster.patch(Shop, "a", { spec: { image: "web:2" } }),
};

const set = {
  edit,
  create: (cluster: TestCluster) => cluster.create(Operand, { name: "a", spec: { steadyState: [manifest("web:1")] } }),
  change: (cluster: TestCluster) => cluster.patch(Operand, "a", { spec: { steadyState: [manifest("web:2")] } }),
};

const SCENARIOS: readonly Scenario[] = [
  {
    ...shop,
    edit,
    title: "a child",
    declare: () => operator(Shop, [child(Shop, "Web", { kind: Deployment, desired: ({ spec }) => web(spec.image) })]),
  },
  {
    ...shop,
    edit,
    title: "a workload",
    declare: () =>
      operator(Shop, [workload(Shop, "Web", { kind: Deployment, desired: ({ spec }) => web(spec.image) })]),
  },
  {
    ...shop,
    title: "a Job",
    declare: () =>
      operator(Shop, [
        job(Shop, "Migrate", { statusField: "migration", desired: ({ spec }) => migration(spec.image) }),
      ]),
  },
  { ...set, title: "an Operand", declare: () => operandManager() },
  { ...set, title: "an Operand that never becomes healthy", declare: () => operandManager(), workloads: false },
  { ...set, title: "an Operand without its inventories", declare: () => operandOperators()[0] },
];

/** Runs a cluster until it is settled. */
async function settle(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await cluster.untilIdle();
    await cluster.clock.advance(5_000);
  }
  await cluster.untilIdle();
}

async function start({ create, workloads = true }: Scenario): Promise<TestCluster> {
  const kinds = [Shop, ...(operandManager().kinds ?? [])];
  const cluster = await testCluster({ seed: 3, workloads, kinds });
  await create(cluster);
  return cluster;
}

/** Without its kinds, which exist already. */
function processOf(runnable: Runnable): Runnable {
  return { name: runnable.name, start: (world) => runnable.start(world) };
}

/** Returns the requests of the second process, of the same declaration or of a new one. */
async function requestsAfterRestart(scenario: Scenario, of: "same" | "new"): Promise<readonly RecordedRequest[]> {
  await using cluster = await start(scenario);
  const declared = scenario.declare();
  const first = cluster.run(processOf(declared));
  await settle(cluster);
  await first.stop();
  const before = cluster.requests().length;
  cluster.run(processOf(of === "same" ? declared : scenario.declare()));
  await settle(cluster);
  await scenario.edit?.(cluster);
  await settle(cluster);
  await scenario.change(cluster);
  await settle(cluster);
  return cluster.requests().slice(before);
}

/** Returns the requests of two processes that run at the same time, of one declaration or of two. */
async function requestsOfTwo(scenario: Scenario, of: "same" | "new"): Promise<readonly RecordedRequest[]> {
  await using cluster = await start(scenario);
  const declared = scenario.declare();
  cluster.run(processOf(declared));
  cluster.run(processOf(of === "same" ? declared : scenario.declare()));
  await settle(cluster);
  await scenario.change(cluster);
  await settle(cluster);
  return cluster.requests();
}

describe("a process has no memory of another one of the same declaration", () => {
  test.each(SCENARIOS)("$title: a restart sends the requests of a new declaration", async (scenario) => {
    const requests = await requestsAfterRestart(scenario, "new");
    expect(requests.length).toBeGreaterThan(5);
    expect(await requestsAfterRestart(scenario, "same")).toEqual(requests);
  });

  test.each(SCENARIOS)("$title: two processes send the requests of two declarations", async (scenario) => {
    const requests = await requestsOfTwo(scenario, "new");
    expect(requests.length).toBeGreaterThan(10);
    expect(await requestsOfTwo(scenario, "same")).toEqual(requests);
  });
});
