import { ConfigMap, Event, kind, s, Secret, Service } from "@levelset/core";
import { parseJson } from "@levelset/core/internal";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { clusterScopedObject, config, crd, deployment, secret, service } from "./manifests.ts";
import {
  createOperand,
  updateOperand,
  operandName,
  owners,
  hasCondition,
  start,
  until,
  untilReady,
} from "./operands.ts";
import { member, InterceptingFetch } from "./intercepting-fetch.ts";

/** Scenarios about single objects of a set. */
export const OBJECTS: Scenarios = {
  "EnsureExists creates an object once; neither edits nor manifest changes are applied": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const once = (a: string): ReturnType<typeof config> =>
      config(namespace, "x", { a }, { operand: { mode: "EnsureExists" } });
    await createOperand(cluster, { steadyState: [once("1")] });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "1" });
    await cluster.patch(ConfigMap, "x", { data: { a: "edited" } });
    await cluster.idle(10_000);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(cluster, { steadyState: [once("2"), config(namespace, "y")] });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.untilDeleted(ConfigMap, "x");
  },

  "EnsureExists never touches an existing object of a user, nor deletes it with the set": async (cluster) => {
    const { namespace } = cluster;
    const user = await cluster.create(ConfigMap, { metadata: { name: "x" }, data: { a: "user" } });
    await start(cluster);
    const once = config(namespace, "x", { a: "1" }, { operand: { mode: "EnsureExists" } });
    await createOperand(cluster, { steadyState: [once, config(namespace, "y")] });
    await untilReady(cluster);
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.idle(5_000);
    const left = await cluster.find(ConfigMap, "x");
    expect(left?.metadata.resourceVersion).toBe(user.metadata.resourceVersion);
  },

  "EnsureExists with adoption Always labels an existing object, keeps its fields, and deletes it with the set": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    const user = await cluster.create(ConfigMap, {
      metadata: { name: "x", labels: { mine: "yes" } },
      data: { a: "user" },
    });
    await start(cluster);
    const once = config(namespace, "x", { a: "1", b: "1" }, { operand: { mode: "EnsureExists" } });
    await createOperand(cluster, { adoption: "Always", steadyState: [once, config(namespace, "y")] });
    const { status } = await untilReady(cluster);
    const taken = await cluster.find(ConfigMap, "x");
    expect(taken?.metadata.uid).toBe(user.metadata.uid);
    expect(taken?.data).toEqual({ a: "user" });
    expect(taken?.metadata.labels?.["mine"]).toBe("yes");
    expect(taken === undefined ? [] : owners(taken)).toEqual([status?.latestReadyActiveOperand]);
    await cluster.patch(ConfigMap, "x", { data: { a: "edited" } });
    await cluster.idle(5_000);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(cluster, { steadyState: [config(namespace, "y")] });
    await untilReady(cluster);
    await cluster.untilDeleted(ConfigMap, "x");
  },

  "an existing object is adopted if allowed, keeps the user's fields, and is deleted with the set": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    for (const adoption of ["IfUnowned", "Always"] as const) {
      const name = adoption.toLowerCase();
      const user = await cluster.create(ConfigMap, { metadata: { name }, data: { user: "1" } });
      const rest = config(namespace, `${name}-rest`);
      await createOperand(cluster, { adoption, steadyState: [config(namespace, name, { a: "1" }), rest] }, name);
      await untilReady(cluster, name);
      const taken = await cluster.find(ConfigMap, name);
      expect(taken?.data).toEqual({ user: "1", a: "1" });
      expect(taken?.metadata.uid).toBe(user.metadata.uid);
      await updateOperand(cluster, { steadyState: [rest] }, name);
      await untilReady(cluster, name);
      await cluster.untilDeleted(ConfigMap, name);
    }
  },

  "an existing object is rejected with adoption Never, and one with a controller unless it is Always": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    await start(cluster);
    const owner = await cluster.create(ConfigMap, { metadata: { name: "owner" } });
    const { name, uid } = owner.metadata;
    const controller = { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true };
    await cluster.create(ConfigMap, { metadata: { name: "free" } });
    await cluster.create(ConfigMap, { metadata: { name: "held", ownerReferences: [controller] } });
    const set = { steadyState: ["free", "held", "new"].map((one) => config(namespace, one, { a: "1" })) };
    await createOperand(cluster, { ...set, adoption: "Never" });
    const never = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(never.status?.failing).toMatchObject([
      { name: "free", reason: "AlreadyExists" },
      { name: "held", reason: "AlreadyExists" },
    ]);
    await updateOperand(cluster, { adoption: "IfUnowned" });
    const some = await until(cluster, (operand) => hasCondition("OperandInstalled", "False", "Failed")(operand));
    expect(some.status?.failing).toMatchObject([{ name: "held", reason: "NotOurs" }]);
    expect((await cluster.find(ConfigMap, "held"))?.data).toBeUndefined();
    await updateOperand(cluster, { adoption: "Always" });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "held"))?.data).toEqual({ a: "1" });
  },

  "fields of other managers are reported with conflicts Fail, and taken over with Force": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const options = { fieldManager: "other-manager", force: true };
    await cluster.client.apply(ConfigMap, { metadata: cluster.at("x"), data: { a: "theirs" } }, options);
    await createOperand(cluster, {
      conflicts: "Fail",
      steadyState: [config(namespace, "x", { a: "ours" }), config(namespace, "y")],
    });
    const failed = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ name: "x", reason: "Conflict" }]);
    expect(failed.status?.failing?.[0]?.message).toContain(".data.a");
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "theirs" });
    expect(await cluster.find(ConfigMap, "y")).toBeDefined();
    await updateOperand(cluster, { conflicts: "Force" });
    await untilReady(cluster);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ a: "ours" });
  },

  "an edit of a managed field is reverted with an event; fields of other managers stay": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(cluster);
    await cluster.patch(ConfigMap, "x", { data: { a: "edited", other: "theirs" } });
    const back = await cluster.until(ConfigMap, "x", ({ data }) => data?.["a"] === "1");
    expect(back.data).toEqual({ a: "1", other: "theirs" });
    const event = await cluster.eventually("an event", async () => {
      const { items } = await cluster.client.list(Event);
      return items.find(
        ({ reason, involvedObject }) => reason === "DriftCorrected" && involvedObject.name === operandName(cluster),
      );
    });
    expect(event.message).toContain("configmap/x");
  },

  "a managed object that is deleted is recreated with the same owner": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, { steadyState: [config(namespace, "x", { a: "1" })] });
    const { status } = await untilReady(cluster);
    const old = await cluster.find(ConfigMap, "x");
    await cluster.delete(ConfigMap, "x");
    const made = await cluster.until(ConfigMap, "x", ({ metadata }) => metadata.uid !== old?.metadata.uid);
    expect(owners(made)).toEqual([status?.latestReadyActiveOperand]);
    await untilReady(cluster);
  },

  "a CRD and its custom resource converge together": async (cluster) => {
    const { namespace } = cluster;
    const group = `${namespace}.example.com`;
    const Widget = kind({ group, version: "v1", kind: "Widget", spec: s.object({ size: s.int64() }) });
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w" },
      spec: { size: 9_007_199_254_740_993n },
    };
    await start(cluster);
    const begun = cluster.now();
    await createOperand(cluster, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(cluster);
    expect(cluster.now() - begun).toBeLessThan(10_000 * cluster.timeoutFactor);
    expect((await cluster.find(Widget, "w"))?.spec.size).toBe(9_007_199_254_740_993n);
  },

  "a kind that is served some time after its CRD is established needs no event": async (cluster) => {
    const { namespace } = cluster;
    const group = `late.${namespace}.example.com`;
    const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { namespace, name: "w" } };
    const seam = new InterceptingFetch();
    const begun = cluster.now();
    seam.hides = (path) => path.startsWith(`/apis/${group}`) && cluster.now() < begun + 5_000;
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(cluster);
    expect(cluster.now()).toBeGreaterThanOrEqual(begun + 5_000);
    expect(seam.writesTo("/widgets/w")).toHaveLength(1);
  },

  "integers beyond 2^53 and any text are stored unchanged, without a second write": async (cluster) => {
    const { namespace } = cluster;
    const group = `exact.${namespace}.example.com`;
    const odd = '<&>\u2028\u2029é\u{1F600}\\"\n\t end ';
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w", annotations: { "example.com/odd": odd } },
      spec: { size: 9_007_199_254_740_993n, low: -9_007_199_254_740_993n, "k<&>": odd },
    };
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    await createOperand(cluster, { steadyState: [crd(group, "Widget"), widget, config(namespace, "x", { odd })] });
    await untilReady(cluster);
    const path = `/apis/${group}/v1/namespaces/${namespace}/widgets/w`;
    const response = await cluster.fetch(new Request(`https://cluster.invalid${path}`));
    const text = await response.text();
    expect(text).toMatch(/"size": ?9007199254740993[,}]/u);
    expect(text).toMatch(/"low": ?-9007199254740993[,}]/u);
    expect(member(parseJson(text), "spec", "k<&>")).toBe(odd);
    expect(member(parseJson(text), "metadata", "annotations", "example.com/odd")).toBe(odd);
    expect((await cluster.find(ConfigMap, "x"))?.data).toEqual({ odd });
    await cluster.idle(30_000);
    expect(seam.writesTo("/widgets/w")).toHaveLength(1);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(1);
  },

  "prerequisites are applied first, and pruned last": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    await start(cluster, (runnable) => seam.wrap(runnable));
    const rbac = "rbac.authorization.k8s.io";
    const inNamespace = (object: ReturnType<typeof clusterScopedObject>): ReturnType<typeof clusterScopedObject> => ({
      ...object,
      metadata: { ...object.metadata, namespace },
    });
    const roleRef = { apiGroup: rbac, kind: "Role", name: "r" };
    const mixed = [
      deployment(namespace, "d"),
      service(namespace, "s"),
      clusterScopedObject("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", `${namespace}-h`, {
        webhooks: [],
      }),
      config(namespace, "c"),
      inNamespace(clusterScopedObject(`${rbac}/v1`, "RoleBinding", "b", { roleRef, subjects: [] })),
      inNamespace(clusterScopedObject(`${rbac}/v1`, "Role", "r", { rules: [] })),
      clusterScopedObject("v1", "Namespace", `${namespace}-n`),
      crd(`${namespace}.example.com`, "Order"),
    ];
    await createOperand(cluster, { steadyState: mixed, checkDeploymentHealth: false });
    await untilReady(cluster);
    const order = ["customresourcedefinitions", "namespaces", "roles", "rolebindings", "configmaps"];
    const all = [...order, "validatingwebhookconfigurations", "services", "deployments"];
    const touched = (method: string): readonly string[] => {
      const plurals = seam.writes
        .filter((reported) => reported.method === method)
        .map(({ path }) => path.split("/").at(-2) ?? "");
      return [...new Set(plurals.filter((plural) => all.includes(plural)))];
    };
    expect(touched("PATCH")).toEqual(all);
    await updateOperand(cluster, { steadyState: [] });
    await untilReady(cluster);
    expect(touched("DELETE")).toEqual(all.slice(2).toReversed());
  },

  "a failed dependency blocks its dependents only": async (cluster) => {
    const { namespace } = cluster;
    const seam = new InterceptingFetch();
    seam.deny = ({ method, path }) =>
      method === "PATCH" && path.endsWith("/configmaps/b") ? { reason: "Invalid", message: "b is bad" } : undefined;
    await start(cluster, (runnable) => seam.wrap(runnable));
    const operand = { "depends-on": `/namespaces/${namespace}/ConfigMap/b` };
    const set = [config(namespace, "a", {}, { operand }), config(namespace, "b"), config(namespace, "c")];
    await createOperand(cluster, { steadyState: set });
    const failed = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([
      { name: "a", reason: "DependencyNotReady" },
      { name: "b", reason: "Invalid" },
    ]);
    expect(await cluster.find(ConfigMap, "a")).toBeUndefined();
    expect(await cluster.find(ConfigMap, "c")).toBeDefined();
    seam.deny = () => undefined;
    await untilReady(cluster);
    expect(await cluster.find(ConfigMap, "a")).toBeDefined();
  },

  "a change of an immutable field fails with its reason, or recreates the object if allowed": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const set = (type: string, clusterIP: string, operand: Readonly<Record<string, string>> = {}): object => ({
      steadyState: [{ ...secret(namespace, "j", { operand }), type }, service(namespace, "s", { clusterIP })],
    });
    await createOperand(cluster, set("example.com/a", "None"));
    await untilReady(cluster);
    const before = await cluster.find(Secret, "j");
    await updateOperand(cluster, set("example.com/b", "None"));
    const failed = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ kind: "Secret", name: "j", reason: "ImmutableField" }]);
    await updateOperand(cluster, set("example.com/b", "None", { recreate: "true" }));
    await untilReady(cluster);
    const after = await cluster.find(Secret, "j");
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.type).toBe("example.com/b");
    expect(await cluster.find(Service, "s")).toBeDefined();
  },
};
