import { childFinalizerName, Deployment, findCondition, isReady, Job, kind, Pod, s, Secret } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { dependency, job, ok, operator, step, subresource, workload } from "@levelset/operator";
import { expect } from "vitest";
import { App, ask, deploymentOf, migrationOf } from "./app.ts";
import { tellPods } from "./kubelet.ts";
import type { Scenarios } from "./scenario.ts";
import type { Stage } from "./stage.ts";

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
  remember: "migration",
  protect: true,
  desired: ({ name, spec }) => migrationOf(name, spec),
});

function condition(object: ObjectOf<App>, type: string): Condition | undefined {
  return findCondition(object.status?.conditions, type);
}

/** Deletes as kubectl does, and waits until the owner reports it. */
async function deleteHeld(stage: Stage, of: typeof Deployment | typeof Job, name: string, type: string): Promise<void> {
  await stage.client.delete(of, stage.at(name), { propagation: "Background" });
  const owner = await stage.until(App, "a", (app) => condition(app, type)?.reason === "ChildDeleted", 10_000);
  expect(condition(owner, type)).toMatchObject(DELETED);
  const held = await stage.until(of, name, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(held.metadata.finalizers).toContain(HELD);
}

async function podUids(stage: Stage): Promise<readonly string[]> {
  const { items } = await stage.client.list(Pod, { namespace: stage.place.namespace });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.uid);
}

/** Children of built-in kinds that must not vanish, with the controllers of workloads at work; the test plays the kubelet. */
export const PROTECTION: Scenarios = {
  "39 · protected workload: a deleted one stays with its pods; with the owner all go": async (stage) => {
    await stage.run(operator(App, [pods]));
    await ask(stage, { replicas: 2 });
    await tellPods(stage, "app=a", 2, "Running");
    await stage.until(App, "a", isReady, 10_000);
    const before = await podUids(stage);
    await deleteHeld(stage, Deployment, "a", "PodsReady");
    await stage.place.idle(2_000);
    expect(await podUids(stage)).toEqual(before);
    await stage.delete(App, "a");
    await stage.gone(App, "a", 10_000);
    await stage.gone(Deployment, "a", 10_000);
  },

  "39 · protected job: a deleted one that runs stays with its pods, and another hash replaces it": async (stage) => {
    await stage.run(operator(App, [migration]));
    await ask(stage);
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Running");
    const before = await stage.until(Job, MIGRATION, () => true);
    const running = await podUids(stage);
    await deleteHeld(stage, Job, MIGRATION, "MigrationReady");
    await stage.place.idle(2_000);
    expect(await podUids(stage)).toEqual(running);
    await stage.patch(App, "a", { spec: { image: "web:2" } });
    await stage.until(Job, MIGRATION, ({ metadata }) => metadata.uid !== before.metadata.uid, 10_000);
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Succeeded");
    await stage.until(App, "a", isReady, 10_000);
    await deleteHeld(stage, Job, MIGRATION, "MigrationReady");
    await stage.delete(App, "a");
    await stage.gone(App, "a", 10_000);
    await stage.gone(Job, MIGRATION, 10_000);
  },

  "39 · protected job: one with a TTL goes once its result is recorded": async (stage) => {
    const first = await stage.run(operator(App, [migration]));
    await ask(stage, { migrationTtl: 0 });
    await stage.until(Job, MIGRATION, () => true);
    await first.stop();
    await tellPods(stage, `job-name=${MIGRATION}`, 1, "Succeeded");
    const held = await stage.until(Job, MIGRATION, ({ metadata }) => metadata.deletionTimestamp !== undefined, 10_000);
    expect(held.metadata.finalizers).toContain(HELD);
    await stage.run(operator(App, [migration]));
    const ready = await stage.until(App, "a", isReady, 10_000);
    await stage.gone(Job, MIGRATION, 10_000);
    expect(ready.status?.migration).toMatchObject({ job: MIGRATION, result: "Complete" });
  },

  "39 · protected sub CR: its own operator cleans it up after its owner has released it": async (stage) => {
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
    await stage.run(operator(Store, [data]), operator(Shop, [store]));
    await stage.create(Shop, { metadata: { name: "a" }, spec: {} });
    await stage.until(Shop, "a", isReady);
    await stage.delete(Store, "a");
    await stage.until(Store, "a", ({ status }) => findCondition(status?.conditions, "Released")?.status === "False");
    expect(emptied).toEqual([]);
    await stage.delete(Shop, "a");
    await stage.gone(Shop, "a");
    await stage.gone(Store, "a", 10_000);
    expect(emptied).toEqual(["a"]);
  },

  "dependency by labels: a Secret and a Deployment are waited for, and several are reported": async (stage) => {
    const labels = { part: "a" };
    const steps = [
      dependency(App, "Password", { condition: "PasswordReady", kind: Secret, labels: () => labels }),
      dependency(App, "Server", {
        condition: "ServerReady",
        kind: Deployment,
        labels: () => ({ matchExpressions: [{ key: "part", operator: "In", values: ["a", "b"] }] }),
      }),
    ];
    await stage.run(operator(App, steps));
    await ask(stage);
    await stage.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Requested");
    for (const name of ["one", "two"])
      await stage.create(Secret, { metadata: { name, labels }, stringData: { a: "b" } });
    const several = await stage.until(App, "a", (app) => condition(app, "PasswordReady")?.reason === "Ambiguous");
    expect(condition(several, "PasswordReady")?.message).toMatch(/secret\/one, secret\/two$/u);
    await stage.patch(Secret, "two", { metadata: { labels: { part: null } } });
    await stage.until(App, "a", (app) => condition(app, "ServerReady")?.message === MISSING_SERVER);
    const { metadata, ...rest } = deploymentOf("server", { image: "web:1", replicas: 1, configSecret: "" });
    await stage.create(Deployment, { ...rest, metadata: { ...metadata, name: "server", labels } });
    await tellPods(stage, "app=server", 1, "Running");
    await stage.until(App, "a", isReady, 10_000);
    await stage.delete(Secret, "one");
    await stage.until(App, "a", (app) => condition(app, "PasswordReady")?.status === "False");
  },
};

const MISSING_SERVER = "no deployment with the labels part in (a,b) exists";
