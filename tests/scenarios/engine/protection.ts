import { childFinalizerName, Deployment, findCondition, isReady, Job, kind, Pod, s, Secret } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { dependency, job, ok, operator, step, subresource, workload } from "@levelset/operator";
import { expect } from "vitest";
import { App, createApp, deploymentOf, migrationOf } from "./app.ts";
import { setPodPhase } from "../../support/cluster/kubelet.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";

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
  harness: Harness,
  of: typeof Deployment | typeof Job,
  name: string,
  type: string,
): Promise<void> {
  await harness.client.delete(of, harness.at(name), { propagationPolicy: "Background" });
  const owner = await harness.until(App, "a", (app) => condition(app, type)?.reason === "ChildDeleted", 10_000);
  expect(condition(owner, type)).toMatchObject(DELETED);
  const held = await harness.until(of, name, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(held.metadata.finalizers).toContain(HELD);
}

async function podUids(harness: Harness): Promise<readonly string[]> {
  const { items } = await harness.client.list(Pod, { namespace: harness.environment.namespace });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.uid);
}

/**
 * Scenarios about protected children of built-in kinds, with the workload controllers; the test simulates the kubelet.
 */
export const PROTECTION: Scenarios = {
  "a deleted protected workload stays with its pods; all are deleted with the owner": async (harness) => {
    await harness.run(operator(App, [pods]));
    await createApp(harness, { replicas: 2 });
    await setPodPhase(harness, "app=a", 2, "Running");
    await harness.until(App, "a", isReady, 10_000);
    const before = await podUids(harness);
    await deleteHeld(harness, Deployment, "a", "PodsReady");
    await harness.environment.idle(2_000);
    expect(await podUids(harness)).toEqual(before);
    await harness.delete(App, "a");
    await harness.untilDeleted(App, "a", 10_000);
    await harness.untilDeleted(Deployment, "a", 10_000);
  },

  "a deleted protected Job that runs stays with its pods, and another hash replaces it": async (harness) => {
    await harness.run(operator(App, [migration]));
    await createApp(harness);
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Running");
    const before = await harness.until(Job, MIGRATION, () => true);
    const running = await podUids(harness);
    await deleteHeld(harness, Job, MIGRATION, "MigrationReady");
    await harness.environment.idle(2_000);
    expect(await podUids(harness)).toEqual(running);
    await harness.patch(App, "a", { spec: { image: "web:2" } });
    await harness.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Succeeded");
    await harness.until(App, "a", isReady, 10_000);
    await deleteHeld(harness, Job, MIGRATION, "MigrationReady");
    await harness.delete(App, "a");
    await harness.untilDeleted(App, "a", 10_000);
    await harness.untilDeleted(Job, MIGRATION, 10_000);
  },

  "a protected Job with a TTL is deleted once its result is recorded": async (harness) => {
    const first = await harness.run(operator(App, [migration]));
    await createApp(harness, { migrationTtl: 0 });
    await harness.until(Job, MIGRATION, () => true);
    await first.stop();
    await setPodPhase(harness, `job-name=${MIGRATION}`, 1, "Succeeded");
    const held = await harness.until(
      Job,
      MIGRATION,
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
      10_000,
    );
    expect(held.metadata.finalizers).toContain(HELD);
    await harness.run(operator(App, [migration]));
    const ready = await harness.until(App, "a", isReady, 10_000);
    await harness.untilDeleted(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
  },

  "a protected sub CR is cleaned up by its own operator after its owner has released it": async (harness) => {
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
    await harness.run(operator(Store, [data]), operator(Shop, [store]));
    await harness.create(Shop, { metadata: { name: "a" }, spec: {} });
    await harness.until(Shop, "a", isReady);
    await harness.delete(Store, "a");
    await harness.until(Store, "a", ({ status }) => findCondition(status?.conditions, "Released")?.status === "False");
    expect(emptied).toEqual([]);
    await harness.delete(Shop, "a");
    await harness.untilDeleted(Shop, "a");
    await harness.untilDeleted(Store, "a", 10_000);
    expect(emptied).toEqual(["a"]);
  },

  "dependency by labels: a Secret and a Deployment are waited for, and several are reported": async (harness) => {
    const labels = { part: "a" };
    const steps = [
      dependency(App, "Password", { condition: "PasswordReady", kind: Secret, labels: () => labels }),
      dependency(App, "Server", {
        condition: "ServerReady",
        kind: Deployment,
        labels: () => ({ matchExpressions: [{ key: "part", operator: "In", values: ["a", "b"] }] }),
      }),
    ];
    await harness.run(operator(App, steps));
    await createApp(harness);
    await harness.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Requested");
    for (const name of ["one", "two"])
      await harness.create(Secret, { metadata: { name, labels }, stringData: { a: "b" } });
    const several = await harness.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Ambiguous");
    expect(condition(several, "PasswordReady")?.message).toMatch(/secret\/one, secret\/two$/u);
    await harness.patch(Secret, "two", { metadata: { labels: { part: null } } });
    await harness.until(App, "a", (app) => condition(app, "ServerReady")?.message === MISSING_SERVER);
    const { metadata, ...rest } = deploymentOf("server", { image: "web:1", replicas: 1, configSecret: "" });
    await harness.create(Deployment, { ...rest, metadata: { ...metadata, name: "server", labels } });
    await setPodPhase(harness, "app=server", 1, "Running");
    await harness.until(App, "a", isReady, 10_000);
    await harness.delete(Secret, "one");
    await harness.until(App, "a", (app) => condition(app, "PasswordReady")?.status === "False");
  },
};

const MISSING_SERVER = "no deployment with the labels part in (a,b) exists";
