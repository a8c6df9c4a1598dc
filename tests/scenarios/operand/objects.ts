import { ConfigMap, Event, Job, kind, parseJson, s, Service } from "@levelset/core";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { eventually } from "../../support/cluster/kubelet.ts";
import { clusterScopedObject, config, crd, deployment, job, service } from "./manifests.ts";
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
  "EnsureExists creates an object once; neither edits nor manifest changes are applied": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const once = (a: string): ReturnType<typeof config> =>
      config(namespace, "x", { a }, { operand: { mode: "EnsureExists" } });
    await createOperand(harness, { steadyState: [once("1")] });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "1" });
    await harness.patch(ConfigMap, "x", { data: { a: "edited" } });
    await harness.environment.idle(10_000);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(harness, { steadyState: [once("2"), config(namespace, "y")] });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    await untilReady(harness);
    await harness.untilDeleted(ConfigMap, "x");
  },

  "EnsureExists never touches an existing object of a user, nor deletes it with the set": async (harness) => {
    const { namespace } = harness.environment;
    const user = await harness.create(ConfigMap, { metadata: { name: "x" }, data: { a: "user" } });
    await start(harness);
    const once = config(namespace, "x", { a: "1" }, { operand: { mode: "EnsureExists" } });
    await createOperand(harness, { steadyState: [once, config(namespace, "y")] });
    await untilReady(harness);
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    await untilReady(harness);
    await harness.environment.idle(5_000);
    const left = await harness.find(ConfigMap, "x");
    expect(left?.metadata.resourceVersion).toBe(user.metadata.resourceVersion);
  },

  "EnsureExists with adoption Always labels an existing object, keeps its fields, and deletes it with the set": async (
    harness,
  ) => {
    const { namespace } = harness.environment;
    const user = await harness.create(ConfigMap, {
      metadata: { name: "x", labels: { mine: "yes" } },
      data: { a: "user" },
    });
    await start(harness);
    const once = config(namespace, "x", { a: "1", b: "1" }, { operand: { mode: "EnsureExists" } });
    await createOperand(harness, { adoption: "Always", steadyState: [once, config(namespace, "y")] });
    const { status } = await untilReady(harness);
    const taken = await harness.find(ConfigMap, "x");
    expect(taken?.metadata.uid).toBe(user.metadata.uid);
    expect(taken?.data).toEqual({ a: "user" });
    expect(taken?.metadata.labels?.["mine"]).toBe("yes");
    expect(taken === undefined ? [] : owners(taken)).toEqual([status?.latestReadyActiveOperand]);
    await harness.patch(ConfigMap, "x", { data: { a: "edited" } });
    await harness.environment.idle(5_000);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await updateOperand(harness, { steadyState: [config(namespace, "y")] });
    await untilReady(harness);
    await harness.untilDeleted(ConfigMap, "x");
  },

  "an existing object is adopted if allowed, keeps the user's fields, and is deleted with the set": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    for (const adoption of ["IfUnowned", "Always"] as const) {
      const name = adoption.toLowerCase();
      const user = await harness.create(ConfigMap, { metadata: { name }, data: { user: "1" } });
      const rest = config(namespace, `${name}-rest`);
      await createOperand(harness, { adoption, steadyState: [config(namespace, name, { a: "1" }), rest] }, name);
      await untilReady(harness, name);
      const taken = await harness.find(ConfigMap, name);
      expect(taken?.data).toEqual({ user: "1", a: "1" });
      expect(taken?.metadata.uid).toBe(user.metadata.uid);
      await updateOperand(harness, { steadyState: [rest] }, name);
      await untilReady(harness, name);
      await harness.untilDeleted(ConfigMap, name);
    }
  },

  "an existing object is rejected with adoption Never, and one with a controller unless it is Always": async (
    harness,
  ) => {
    const { namespace } = harness.environment;
    await start(harness);
    const owner = await harness.create(ConfigMap, { metadata: { name: "owner" } });
    const { name, uid } = owner.metadata;
    const controller = { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true };
    await harness.create(ConfigMap, { metadata: { name: "free" } });
    await harness.create(ConfigMap, { metadata: { name: "held", ownerReferences: [controller] } });
    const set = { steadyState: ["free", "held", "new"].map((one) => config(namespace, one, { a: "1" })) };
    await createOperand(harness, { ...set, adoption: "Never" });
    const never = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(never.status?.failing).toMatchObject([
      { name: "free", reason: "AlreadyExists" },
      { name: "held", reason: "AlreadyExists" },
    ]);
    await updateOperand(harness, { adoption: "IfUnowned" });
    const some = await until(harness, (operand) => hasCondition("OperandInstalled", "False", "Failed")(operand));
    expect(some.status?.failing).toMatchObject([{ name: "held", reason: "NotOurs" }]);
    expect((await harness.find(ConfigMap, "held"))?.data).toBeUndefined();
    await updateOperand(harness, { adoption: "Always" });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "held"))?.data).toEqual({ a: "1" });
  },

  "fields of other managers are reported with conflicts Fail, and taken over with Force": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const options = { fieldManager: "other-manager", force: true };
    await harness.client.apply(ConfigMap, { metadata: harness.at("x"), data: { a: "theirs" } }, options);
    await createOperand(harness, {
      conflicts: "Fail",
      steadyState: [config(namespace, "x", { a: "ours" }), config(namespace, "y")],
    });
    const failed = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ name: "x", reason: "Conflict" }]);
    expect(failed.status?.failing?.[0]?.message).toContain(".data.a");
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "theirs" });
    expect(await harness.find(ConfigMap, "y")).toBeDefined();
    await updateOperand(harness, { conflicts: "Force" });
    await untilReady(harness);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ a: "ours" });
  },

  "an edit of a managed field is reverted with an event; fields of other managers stay": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(harness);
    await harness.patch(ConfigMap, "x", { data: { a: "edited", other: "theirs" } });
    const back = await harness.until(ConfigMap, "x", ({ data }) => data?.["a"] === "1");
    expect(back.data).toEqual({ a: "1", other: "theirs" });
    const event = await eventually(harness, "an event", async () => {
      const { items } = await harness.client.list(Event);
      return items.find(
        ({ reason, involvedObject }) => reason === "DriftCorrected" && involvedObject.name === operandName(harness),
      );
    });
    expect(event.message).toContain("configmap/x");
  },

  "a managed object that is deleted is recreated with the same owner": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    await createOperand(harness, { steadyState: [config(namespace, "x", { a: "1" })] });
    const { status } = await untilReady(harness);
    const old = await harness.find(ConfigMap, "x");
    await harness.delete(ConfigMap, "x");
    const made = await harness.until(ConfigMap, "x", ({ metadata }) => metadata.uid !== old?.metadata.uid);
    expect(owners(made)).toEqual([status?.latestReadyActiveOperand]);
    await untilReady(harness);
  },

  "a CRD and its custom resource converge together": async (harness) => {
    const { namespace } = harness.environment;
    const group = `${namespace}.example.com`;
    const Widget = kind({ group, version: "v1", kind: "Widget", spec: s.object({ size: s.int64() }) });
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w" },
      spec: { size: 9_007_199_254_740_993n },
    };
    await start(harness);
    const begun = harness.environment.now();
    await createOperand(harness, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(harness);
    expect(harness.environment.now() - begun).toBeLessThan(10_000 * harness.environment.timeoutFactor);
    expect((await harness.find(Widget, "w"))?.spec.size).toBe(9_007_199_254_740_993n);
  },

  "a kind that is served some time after its CRD is established needs no event": async (harness) => {
    const { namespace } = harness.environment;
    const group = `late.${namespace}.example.com`;
    const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { namespace, name: "w" } };
    const seam = new InterceptingFetch();
    const begun = harness.environment.now();
    seam.hides = (path) => path.startsWith(`/apis/${group}`) && harness.environment.now() < begun + 5_000;
    await start(harness, (runnable) => seam.wrap(runnable));
    await createOperand(harness, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(harness);
    expect(harness.environment.now()).toBeGreaterThanOrEqual(begun + 5_000);
    expect(seam.writesTo("/widgets/w")).toHaveLength(1);
  },

  "integers beyond 2^53 and any text are stored unchanged, without a second write": async (harness) => {
    const { namespace } = harness.environment;
    const group = `exact.${namespace}.example.com`;
    const odd = '<&>\u2028\u2029é\u{1F600}\\"\n\t end ';
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w", annotations: { "example.com/odd": odd } },
      spec: { size: 9_007_199_254_740_993n, low: -9_007_199_254_740_993n, "k<&>": odd },
    };
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
    await createOperand(harness, { steadyState: [crd(group, "Widget"), widget, config(namespace, "x", { odd })] });
    await untilReady(harness);
    const path = `/apis/${group}/v1/namespaces/${namespace}/widgets/w`;
    const response = await harness.environment.fetch(new Request(`https://cluster.invalid${path}`));
    const text = await response.text();
    expect(text).toMatch(/"size": ?9007199254740993[,}]/u);
    expect(text).toMatch(/"low": ?-9007199254740993[,}]/u);
    expect(member(parseJson(text), "spec", "k<&>")).toBe(odd);
    expect(member(parseJson(text), "metadata", "annotations", "example.com/odd")).toBe(odd);
    expect((await harness.find(ConfigMap, "x"))?.data).toEqual({ odd });
    await harness.environment.idle(30_000);
    expect(seam.writesTo("/widgets/w")).toHaveLength(1);
    expect(seam.writesTo("/configmaps/x")).toHaveLength(1);
  },

  "prerequisites are applied first, and pruned last": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    await start(harness, (runnable) => seam.wrap(runnable));
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
    await createOperand(harness, { steadyState: mixed, checkDeploymentHealth: false });
    await untilReady(harness);
    const order = ["customresourcedefinitions", "namespaces", "roles", "rolebindings", "configmaps"];
    const all = [...order, "validatingwebhookconfigurations", "services", "deployments"];
    const touched = (method: string): readonly string[] => {
      const plurals = seam.writes
        .filter((reported) => reported.method === method)
        .map(({ path }) => path.split("/").at(-2) ?? "");
      return [...new Set(plurals.filter((plural) => all.includes(plural)))];
    };
    expect(touched("PATCH")).toEqual(all);
    await updateOperand(harness, { steadyState: [] });
    await untilReady(harness);
    expect(touched("DELETE")).toEqual(all.slice(2).toReversed());
  },

  "a failed dependency blocks its dependents only": async (harness) => {
    const { namespace } = harness.environment;
    const seam = new InterceptingFetch();
    seam.deny = ({ method, path }) =>
      method === "PATCH" && path.endsWith("/configmaps/b") ? { reason: "Invalid", message: "b is bad" } : undefined;
    await start(harness, (runnable) => seam.wrap(runnable));
    const operand = { "depends-on": `/namespaces/${namespace}/ConfigMap/b` };
    const set = [config(namespace, "a", {}, { operand }), config(namespace, "b"), config(namespace, "c")];
    await createOperand(harness, { steadyState: set });
    const failed = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([
      { name: "a", reason: "DependencyNotReady" },
      { name: "b", reason: "Invalid" },
    ]);
    expect(await harness.find(ConfigMap, "a")).toBeUndefined();
    expect(await harness.find(ConfigMap, "c")).toBeDefined();
    seam.deny = () => undefined;
    await untilReady(harness);
    expect(await harness.find(ConfigMap, "a")).toBeDefined();
  },

  "a change of an immutable field fails with its reason, or recreates the object if allowed": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const set = (image: string, clusterIP: string, operand?: Readonly<Record<string, string>>): object => ({
      steadyState: [
        job(namespace, "j", image, operand === undefined ? {} : { operand }),
        service(namespace, "s", { clusterIP }),
      ],
    });
    await createOperand(harness, set("example.com/app:1", "None"));
    await untilReady(harness);
    const before = await harness.find(Job, "j");
    await updateOperand(harness, set("example.com/app:2", "None"));
    const failed = await until(harness, hasCondition("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ kind: "Job", name: "j", reason: "ImmutableField" }]);
    await updateOperand(harness, set("example.com/app:2", "None", { recreate: "true" }));
    await untilReady(harness);
    const after = await harness.find(Job, "j");
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.spec?.template.spec?.containers[0]?.image).toBe("example.com/app:2");
    expect(await harness.find(Service, "s")).toBeDefined();
  },
};
