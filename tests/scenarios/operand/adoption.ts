import { ConfigMap, Deployment, Job, PersistentVolumeClaim, Service } from "@levelset/core";
import type { KubeObject, NewOf } from "@levelset/core";
import { expect } from "vitest";
import { Operand } from "@levelset/operator";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { config, deployment, job, service } from "./manifests.ts";
import { createOperand, hasCondition, operandName, start, until, untilReady, updateOperand } from "./operands.ts";
import type { Spec } from "./operands.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** A Deployment as `kubectl apply` or Helm leaves it: with an environment variable, labels and an annotation more. */
function appliedDeployment(cluster: Cluster, name: string): NewOf<typeof Deployment> {
  const labels = { app: name };
  const containers = [{ name: "c0", image: "example.com/app:0", env: [{ name: "OLD", value: "1" }] }];
  const annotations = { [LAST_APPLIED]: "{}", "example.com/note": "old" };
  return {
    metadata: { ...cluster.at(name), labels: { team: "old" }, annotations },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

function managers({ metadata }: KubeObject): readonly string[] {
  return (metadata.managedFields ?? []).map(({ manager = "", subresource = "" }) => `${manager}${subresource}`);
}

/** Creates an Operand with these objects, does not wait for Deployments, and returns its uid when it is ready. */
async function install(cluster: Cluster, spec: Spec, name?: string): Promise<string> {
  await createOperand(cluster, { checkDeploymentHealth: false, ...spec }, name);
  return (await untilReady(cluster, name)).metadata.uid;
}

/** Scenarios about the fields of former managers of an object. */
export const ADOPTION: Scenarios = {
  "adoption removes the fields of kubectl and Helm that are not desired, and only those": async (cluster) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const writers = ["kubectl-client-side-apply", "kubectl-create", "kubectl-edit", "helm", "before-first-apply"];
    for (const [index, fieldManager] of writers.entries()) {
      const name = `d${index}`;
      await client.create(Deployment, appliedDeployment(cluster, name), { fieldManager });
      const note = { metadata: { annotations: { "example.com/live": "yes" } } };
      await client.mergePatch(Deployment, cluster.at(name), note, { fieldManager: "other-operator" });
      const uid = await install(cluster, { steadyState: [deployment(namespace, name)] }, name);
      const after = await client.get(Deployment, cluster.at(name));
      expect(after.metadata.labels?.["team"]).toBeUndefined();
      expect(after.metadata.annotations).toMatchObject({ "example.com/live": "yes" });
      expect(after.metadata.annotations).not.toHaveProperty("example.com/note");
      expect(after.metadata.annotations).not.toHaveProperty([LAST_APPLIED]);
      const { spec } = after;
      expect(spec.template.spec?.containers[0]?.env).toBeUndefined();
      expect(spec.template.spec?.containers[0]?.image).toBe("example.com/app:1");
      expect(spec.replicas).toBe(1);
      expect(spec.strategy?.type).toBe("RollingUpdate");
      expect(managers(after).filter((one) => one !== "other-operator")).toEqual([`operand.levelset.dev/${uid}`]);
    }
  },

  "adoption removes the fields of a server-side apply of kubectl": async (cluster) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const { metadata, spec } = appliedDeployment(cluster, "web");
    const options = { fieldManager: "kubectl", force: true };
    await client.apply(Deployment, { metadata: { ...metadata, name: "web" }, spec }, options);
    await install(cluster, { steadyState: [deployment(namespace, "web")] });
    const after = await client.get(Deployment, cluster.at("web"));
    expect(after.spec.template.spec?.containers[0]?.env).toBeUndefined();
    expect(after.metadata.labels?.["team"]).toBeUndefined();
  },

  "adoption leaves fields of running controllers, replicas of an autoscaler too, and ignored fields": async (
    cluster,
  ) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const fieldManager = "kubectl-client-side-apply";
    for (const name of ["scaled", "ignored"]) {
      await client.create(Deployment, appliedDeployment(cluster, name), { fieldManager });
    }
    await client.setScale(Deployment, cluster.at("scaled"), 5);
    await install(cluster, { steadyState: [deployment(namespace, "scaled")] }, "a");
    const ignore = [{ kind: "Deployment", fields: ["/spec/replicas", "/spec/template/spec/containers/0/env"] }];
    await install(cluster, { steadyState: [deployment(namespace, "ignored")], drift: { ignore } }, "b");
    expect((await client.get(Deployment, cluster.at("scaled"))).spec.replicas).toBe(5);
    const ignored = await client.get(Deployment, cluster.at("ignored"));
    expect(ignored.spec.replicas).toBe(3);
    expect(ignored.spec.template.spec?.containers[0]?.env).toEqual([{ name: "OLD", value: "1" }]);
    expect(ignored.metadata.labels?.["team"]).toBeUndefined();
  },

  "adoption keeps the address of a Service and the volume of a claim": async (cluster) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const { spec } = await client.create(
      Service,
      { metadata: cluster.at("web"), spec: { ports: [{ port: 80, name: "old" }], selector: { app: "old" } } },
      { fieldManager: "helm" },
    );
    const resources = { requests: { storage: "1Gi" } };
    const claim = { accessModes: ["ReadWriteOnce" as const], resources };
    await client.create(
      PersistentVolumeClaim,
      {
        metadata: { ...cluster.at("data"), labels: { team: "old" } },
        spec: { ...claim, volumeName: "pv-7", storageClassName: "fast" },
      },
      { fieldManager: "kubectl-create" },
    );
    const manifest = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { namespace, name: "data" } };
    await install(cluster, { steadyState: [service(namespace, "web"), { ...manifest, spec: claim }] });
    const after = await client.get(Service, cluster.at("web"));
    expect(after.spec?.clusterIP).toBe(spec?.clusterIP);
    expect(after.spec?.clusterIP).toMatch(/\d/u);
    expect(after.spec?.selector).toEqual({ app: "web" });
    const bound = await client.get(PersistentVolumeClaim, cluster.at("data"));
    expect(bound.spec).toMatchObject({ volumeName: "pv-7", storageClassName: "fast" });
    expect(bound.metadata.labels?.["team"]).toBeUndefined();
  },

  "adoptedFields Keep, or the annotation of an object, keeps these fields": async (cluster) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const create = (name: string): Promise<KubeObject> =>
      client.create(ConfigMap, { metadata: cluster.at(name), data: { old: "1" } }, { fieldManager: "kubectl-create" });
    for (const name of ["a", "b", "c"]) await create(name);
    await install(cluster, { adoptedFields: "Keep", steadyState: [config(namespace, "a", { new: "1" })] }, "a");
    const kept = { operand: { "adopted-fields": "Keep" } };
    const steadyState = [config(namespace, "b", { new: "1" }, kept), config(namespace, "c", { new: "1" })];
    await install(cluster, { steadyState }, "b");
    expect((await cluster.find(ConfigMap, "a"))?.data).toEqual({ old: "1", new: "1" });
    expect((await cluster.find(ConfigMap, "b"))?.data).toEqual({ old: "1", new: "1" });
    expect((await cluster.find(ConfigMap, "c"))?.data).toEqual({ new: "1" });
  },

  "an adopted object with an immutable field that would be removed is not changed, or recreated if allowed": async (
    cluster,
  ) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const containers = [{ name: "main", image: "example.com/job:1", env: [{ name: "OLD", value: "1" }] }];
    const before = await client.create(
      Job,
      { metadata: cluster.at("task"), spec: { template: { spec: { restartPolicy: "Never", containers } } } },
      { fieldManager: "kubectl-create" },
    );
    await createOperand(cluster, { steadyState: [job(namespace, "task", "example.com/job:1")] });
    const failed = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ name: "task", reason: "ImmutableField" }]);
    const same = await client.get(Job, cluster.at("task"));
    expect(managers(same)).toContain("kubectl-create");
    const kept = job(namespace, "task", "example.com/job:1", { operand: { "adopted-fields": "Keep" } });
    await updateOperand(cluster, { steadyState: [kept] });
    await untilReady(cluster);
    expect((await client.get(Job, cluster.at("task"))).metadata.uid).toBe(before.metadata.uid);
    await client.create(
      Job,
      { metadata: cluster.at("other"), spec: { template: { spec: { restartPolicy: "Never", containers } } } },
      { fieldManager: "kubectl-create" },
    );
    const recreated = job(namespace, "other", "example.com/job:1", { operand: { recreate: "true" } });
    await install(cluster, { steadyState: [recreated] }, "b");
    const after = await client.get(Job, cluster.at("other"));
    expect(after.spec.template.spec?.containers[0]?.env).toBeUndefined();
  },

  "with conflicts Fail a different value of a former manager is reported, and nothing is taken over": async (
    cluster,
  ) => {
    const { namespace, client } = cluster;
    await start(cluster);
    const data = { a: "theirs", old: "1" };
    await client.create(ConfigMap, { metadata: cluster.at("x"), data }, { fieldManager: "kubectl-create" });
    await createOperand(cluster, { conflicts: "Fail", steadyState: [config(namespace, "x", { a: "ours" })] });
    const failed = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ name: "x", reason: "Conflict" }]);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual(data);
    await updateOperand(cluster, { steadyState: [config(namespace, "x", { a: "theirs" })] });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "theirs" });
  },

  "an object that moves from one Operand to another loses the fields of the first, whichever way it moves": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    await start(cluster);
    for (const conflicts of ["Force", "Fail"] as const) {
      const at = conflicts.toLowerCase();
      const [first, second] = [`${at}-first`, `${at}-second`];
      const steadyState = [config(namespace, at, { a: "1", old: "1" }), config(namespace, first)];
      await install(cluster, { steadyState }, first);
      // Both Operands have it for a while, and all fields are needed.
      const moved = { steadyState: [config(namespace, at, { a: "1", new: "1" })], conflicts };
      await install(cluster, { ...moved, drift: { mode: "Report" } }, second);
      expect((await cluster.find(ConfigMap, at))?.data).toEqual({ a: "1", old: "1", new: "1" });
      await updateOperand(cluster, { steadyState: [config(namespace, first)] }, first);
      await untilReady(cluster, first);
      const after = await cluster.until(ConfigMap, at, ({ data }) => data?.["old"] === undefined);
      expect(after.data).toEqual({ a: "1", new: "1" });
      expect((await untilReady(cluster, second)).status?.failing).toBeUndefined();
    }
  },

  "an orphaned object loses the fields of the deleted Operand when another one adopts it": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const steadyState = [config(namespace, "x", { a: "1", old: "1" })];
    await install(cluster, { steadyState, deletionPolicy: "Orphan" });
    await cluster.delete(Operand, operandName(cluster));
    await cluster.untilDeleted(Operand, operandName(cluster));
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "1", old: "1" });
    const uid = await install(cluster, { steadyState: [config(namespace, "x", { a: "1" })] }, "b");
    const after = await cluster.find(ConfigMap, "x");
    expect(after?.data).toEqual({ a: "1" });
    expect(after === undefined ? [] : managers(after)).toEqual([`operand.levelset.dev/${uid}`]);
  },
};
