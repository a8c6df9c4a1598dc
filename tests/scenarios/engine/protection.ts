import { childFinalizerName } from "@levelset/core/internal";
import { Deployment, findCondition, isReady, Job, kind, Pod, s, Secret } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { dependency, job, ok, operator, step, subresource, workload } from "@levelset/operator";
import { expect } from "vitest";
import { App, createApp, deploymentOf, migrationOf } from "./app.ts";
import { setPodPhase } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";

const HELD = childFinalizerName(App);
const MIGRATION = "a-migration";
const DELETED = { status: "False", severity: "Error", reason: "ChildDeleted" };

const pods = workload(App, "Pods", {
  condition: "PodsReady",
  kind: Deployment,
  protect: true,
  desired: ({ name, spec }) => deploymentOf(name, spec),
});

const migration = job(App, "Migration", {
  condition: "MigrationReady",
  statusField: "migration",
  protect: true,
  desired: ({ name, spec }) => migrationOf(name, spec),
});

function condition(object: ObjectOf<App>, type: string): Condition | undefined {
  return findCondition(object.status?.conditions, type);
}

/** Deletes as kubectl does, and waits until the owner reports it. */
async function deleteHeld(
  cluster: Cluster,
  of: typeof Deployment | typeof Job,
  name: string,
  type: string,
): Promise<void> {
  await cluster.client.delete(of, cluster.at(name), { propagationPolicy: "Background" });
  const owner = await cluster.until(App, "a", (app) => condition(app, type)?.reason === "ChildDeleted", 10_000);
  expect(condition(owner, type)).toMatchObject(DELETED);
  const held = await cluster.until(of, name, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(held.metadata.finalizers).toContain(HELD);
}

async function podUids(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.client.list(Pod, { namespace: cluster.namespace });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.uid);
}

/**
 * Scenarios about protected children of built-in kinds, with the workload controllers; the test simulates the kubelet.
 */
export const PROTECTION: Scenarios = {
  "a deleted protected workload stays with its pods; all are deleted with the owner": async (cluster) => {
    await cluster.run(operator(App, [pods]));
    await createApp(cluster, { replicas: 2 });
    await setPodPhase(cluster, "app=a", 2, "Running");
    await cluster.until(App, "a", isReady, 10_000);
    const before = await podUids(cluster);
    await deleteHeld(cluster, Deployment, "a", "PodsReady");
    await cluster.idle(2_000);
    expect(await podUids(cluster)).toEqual(before);
    await cluster.delete(App, "a");
    await cluster.untilDeleted(App, "a", 10_000);
    await cluster.untilDeleted(Deployment, "a", 10_000);
  },

  "a deleted protected Job that runs stays with its pods, and another hash replaces it": async (cluster) => {
    await cluster.run(operator(App, [migration]));
    await createApp(cluster);
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Running");
    const before = await cluster.until(Job, MIGRATION, () => true);
    const running = await podUids(cluster);
    await deleteHeld(cluster, Job, MIGRATION, "MigrationReady");
    await cluster.idle(2_000);
    expect(await podUids(cluster)).toEqual(running);
    await cluster.patch(App, "a", { spec: { image: "web:2" } });
    await cluster.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Succeeded");
    await cluster.until(App, "a", isReady, 10_000);
    await deleteHeld(cluster, Job, MIGRATION, "MigrationReady");
    await cluster.delete(App, "a");
    await cluster.untilDeleted(App, "a", 10_000);
    await cluster.untilDeleted(Job, MIGRATION, 10_000);
  },

  "a protected Job with a TTL is deleted once its result is recorded": async (cluster) => {
    const first = await cluster.run(operator(App, [migration]));
    await createApp(cluster, { migrationTtl: 0 });
    await cluster.until(Job, MIGRATION, () => true);
    await first.stop();
    await setPodPhase(cluster, `job-name=${MIGRATION}`, 1, "Succeeded");
    const held = await cluster.until(
      Job,
      MIGRATION,
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
      10_000,
    );
    expect(held.metadata.finalizers).toContain(HELD);
    await cluster.run(operator(App, [migration]));
    const ready = await cluster.until(App, "a", isReady, 10_000);
    await cluster.untilDeleted(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
  },

  "a protected sub CR is cleaned up by its own operator after its owner has released it": async (cluster) => {
    const group = { group: "scenarios.levelset.dev", version: "v1" };
    const Store = kind({ ...group, kind: "Store", spec: s.object({}) });
    const Shop = kind({ ...group, kind: "Shop", spec: s.object({}) });
    const emptied: string[] = [];
    const data = step(Store, "Data", {
      do: () => ok(),
      cleanup: ({ name }) => {
        emptied.push(name);
        return ok();
      },
    });
    const store = subresource(Shop, "Store", {
      kind: Store,
      protect: true,
      desired: ({ name }) => ({ metadata: { name }, spec: {} }),
    });
    await cluster.run(operator(Store, [data]), operator(Shop, [store]));
    await cluster.create(Shop, { metadata: { name: "a" }, spec: {} });
    await cluster.until(Shop, "a", isReady);
    await cluster.delete(Store, "a");
    await cluster.until(Store, "a", ({ status }) => findCondition(status?.conditions, "Released")?.status === "False");
    expect(emptied).toEqual([]);
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(Store, "a", 10_000);
    expect(emptied).toEqual(["a"]);
  },

  "dependency by labels: a Secret and a Deployment are waited for, and several are reported": async (cluster) => {
    const labels = { part: "a" };
    const steps = [
      dependency(App, "Password", { condition: "PasswordReady", kind: Secret, labels: () => labels }),
      dependency(App, "Server", {
        condition: "ServerReady",
        kind: Deployment,
        labels: () => ({ matchExpressions: [{ key: "part", operator: "In", values: ["a", "b"] }] }),
      }),
    ];
    await cluster.run(operator(App, steps));
    await createApp(cluster);
    await cluster.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Requested");
    for (const name of ["one", "two"])
      await cluster.create(Secret, { metadata: { name, labels }, stringData: { a: "b" } });
    const several = await cluster.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Ambiguous");
    expect(condition(several, "PasswordReady")?.message).toMatch(/secret\/one, secret\/two$/u);
    await cluster.patch(Secret, "two", { metadata: { labels: { part: null } } });
    await cluster.until(App, "a", (app) => condition(app, "ServerReady")?.message === MISSING_SERVER);
    const { metadata, ...rest } = deploymentOf("server", { image: "web:1", replicas: 1, configSecret: "" });
    await cluster.create(Deployment, { ...rest, metadata: { ...metadata, name: "server", labels } });
    await setPodPhase(cluster, "app=server", 1, "Running");
    await cluster.until(App, "a", isReady, 10_000);
    await cluster.delete(Secret, "one");
    await cluster.until(App, "a", (app) => condition(app, "PasswordReady")?.status === "False");
  },
};

const MISSING_SERVER = "no deployment with the labels part in (a,b) exists";
