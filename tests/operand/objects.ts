import { ConfigMap, Event, Job, kind, parseJson, s, Service } from "@levelset/core";
import { expect } from "vitest";
import type { Scenarios } from "../engine/scenario.ts";
import { eventually } from "../engine/kubelet.ts";
import { clusterWide, config, crd, deployment, job, service } from "./manifests.ts";
import { ask, change, named, owners, says, start, until, untilReady } from "./operands.ts";
import { member, Seam } from "./seam.ts";

/** Scenarios about single objects of a set. */
export const OBJECTS: Scenarios = {
  "34 · EnsureExists: made once; neither an edit nor another manifest is put through": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const once = (a: string): ReturnType<typeof config> =>
      config(namespace, "x", { a }, { operand: { mode: "EnsureExists" } });
    await ask(stage, { steadyState: [once("1")] });
    await untilReady(stage);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "1" });
    await stage.patch(ConfigMap, "x", { data: { a: "edited" } });
    await stage.place.idle(10_000);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await change(stage, { steadyState: [once("2"), config(namespace, "y")] });
    await untilReady(stage);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
    await change(stage, { steadyState: [config(namespace, "y")] });
    await untilReady(stage);
    await stage.gone(ConfigMap, "x");
  },

  "35 · EnsureExists on what a user made: never touched, and not deleted with the set": async (stage) => {
    const { namespace } = stage.place;
    const user = await stage.create(ConfigMap, { metadata: { name: "x" }, data: { a: "user" } });
    await start(stage);
    const once = config(namespace, "x", { a: "1" }, { operand: { mode: "EnsureExists" } });
    await ask(stage, { steadyState: [once, config(namespace, "y")] });
    await untilReady(stage);
    await change(stage, { steadyState: [config(namespace, "y")] });
    await untilReady(stage);
    await stage.place.idle(5_000);
    const left = await stage.find(ConfigMap, "x");
    expect(left?.metadata.resourceVersion).toBe(user.metadata.resourceVersion);
  },

  "35 · EnsureExists under adoption Always: what a user made gets our marks, keeps all else, and goes with the set":
    async (stage) => {
      const { namespace } = stage.place;
      const user = await stage.create(ConfigMap, {
        metadata: { name: "x", labels: { mine: "yes" } },
        data: { a: "user" },
      });
      await start(stage);
      const once = config(namespace, "x", { a: "1", b: "1" }, { operand: { mode: "EnsureExists" } });
      await ask(stage, { adoption: "Always", steadyState: [once, config(namespace, "y")] });
      const { status } = await untilReady(stage);
      const taken = await stage.find(ConfigMap, "x");
      expect(taken?.metadata.uid).toBe(user.metadata.uid);
      expect(taken?.data).toEqual({ a: "user" });
      expect(taken?.metadata.labels?.["mine"]).toBe("yes");
      expect(taken === undefined ? [] : owners(taken)).toEqual([status?.latestReadyActiveOperand]);
      await stage.patch(ConfigMap, "x", { data: { a: "edited" } });
      await stage.place.idle(5_000);
      expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "edited" });
      await change(stage, { steadyState: [config(namespace, "y")] });
      await untilReady(stage);
      await stage.gone(ConfigMap, "x");
    },

  "35 · what a user made is taken over where that is allowed, with all that the user put there, and goes with the set":
    async (stage) => {
      const { namespace } = stage.place;
      await start(stage);
      for (const adoption of ["IfUnowned", "Always"] as const) {
        const name = adoption.toLowerCase();
        const user = await stage.create(ConfigMap, { metadata: { name }, data: { user: "1" } });
        const rest = config(namespace, `${name}-rest`);
        await ask(stage, { adoption, steadyState: [config(namespace, name, { a: "1" }), rest] }, name);
        await untilReady(stage, name);
        const taken = await stage.find(ConfigMap, name);
        expect(taken?.data).toEqual({ user: "1", a: "1" });
        expect(taken?.metadata.uid).toBe(user.metadata.uid);
        await change(stage, { steadyState: [rest] }, name);
        await untilReady(stage, name);
        await stage.gone(ConfigMap, name);
      }
    },

  "35 · what was there before is refused by name under adoption Never, and what has a controller unless it is Always":
    async (stage) => {
      const { namespace } = stage.place;
      await start(stage);
      const owner = await stage.create(ConfigMap, { metadata: { name: "owner" } });
      const { name, uid } = owner.metadata;
      const controller = { apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true };
      await stage.create(ConfigMap, { metadata: { name: "free" } });
      await stage.create(ConfigMap, { metadata: { name: "held", ownerReferences: [controller] } });
      const set = { steadyState: ["free", "held", "new"].map((one) => config(namespace, one, { a: "1" })) };
      await ask(stage, { ...set, adoption: "Never" });
      const never = await until(stage, says("OperandInstalled", "False", "Failed"));
      expect(never.status?.failing).toMatchObject([
        { name: "free", reason: "AlreadyExists" },
        { name: "held", reason: "AlreadyExists" },
      ]);
      await change(stage, { adoption: "IfUnowned" });
      const some = await until(stage, (operand) => says("OperandInstalled", "False", "Failed")(operand));
      expect(some.status?.failing).toMatchObject([{ name: "held", reason: "NotOurs" }]);
      expect((await stage.find(ConfigMap, "held"))?.data).toBeUndefined();
      await change(stage, { adoption: "Always" });
      await untilReady(stage);
      expect((await stage.find(ConfigMap, "held"))?.data).toEqual({ a: "1" });
    },

  "36 · fields that somebody else set are left alone and named when conflicts fail, and taken by force": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    await start(stage);
    const options = { fieldManager: "somebody", force: true };
    await stage.client.apply(ConfigMap, { metadata: stage.at("x"), data: { a: "theirs" } }, options);
    await ask(stage, {
      conflicts: "Fail",
      steadyState: [config(namespace, "x", { a: "ours" }), config(namespace, "y")],
    });
    const failed = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ name: "x", reason: "Conflict" }]);
    expect(failed.status?.failing?.[0]?.message).toContain(".data.a");
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "theirs" });
    expect(await stage.find(ConfigMap, "y")).toBeDefined();
    await change(stage, { conflicts: "Force" });
    await untilReady(stage);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ a: "ours" });
  },

  "36 · an edit of a managed field is reverted from the watch, with an event; what others manage is kept": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { steadyState: [config(namespace, "x", { a: "1" })] });
    await untilReady(stage);
    await stage.patch(ConfigMap, "x", { data: { a: "edited", other: "theirs" } });
    const back = await stage.until(ConfigMap, "x", ({ data }) => data?.["a"] === "1");
    expect(back.data).toEqual({ a: "1", other: "theirs" });
    const event = await eventually(stage, "an event", async () => {
      const { items } = await stage.client.list(Event);
      return items.find(
        ({ reason, involvedObject }) => reason === "DriftCorrected" && involvedObject.name === named(stage),
      );
    });
    expect(event.message).toContain("configmap/x");
  },

  "38 · a managed object is deleted by hand: it is made again, with the same owner": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    await ask(stage, { steadyState: [config(namespace, "x", { a: "1" })] });
    const { status } = await untilReady(stage);
    const old = await stage.find(ConfigMap, "x");
    await stage.delete(ConfigMap, "x");
    const made = await stage.until(ConfigMap, "x", ({ metadata }) => metadata.uid !== old?.metadata.uid);
    expect(owners(made)).toEqual([status?.latestReadyActiveOperand]);
    await untilReady(stage);
  },

  "39 · a CRD and an object of it converge together": async (stage) => {
    const { namespace } = stage.place;
    const group = `${namespace}.example.com`;
    const Widget = kind({ group, version: "v1", kind: "Widget", spec: s.object({ size: s.int64() }) });
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w" },
      spec: { size: 9_007_199_254_740_993n },
    };
    await start(stage);
    const begun = stage.place.now();
    await ask(stage, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(stage);
    expect(stage.place.now() - begun).toBeLessThan(10_000 * stage.place.patience);
    expect((await stage.find(Widget, "w"))?.spec.size).toBe(9_007_199_254_740_993n);
  },

  "39 · the server serves the kind a while after its CRD says so: nobody needs to be woken": async (stage) => {
    const { namespace } = stage.place;
    const group = `late.${namespace}.example.com`;
    const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { namespace, name: "w" } };
    const seam = new Seam();
    const begun = stage.place.now();
    seam.hides = (path) => path.startsWith(`/apis/${group}`) && stage.place.now() < begun + 5_000;
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: [widget, crd(group, "Widget")] });
    await untilReady(stage);
    expect(stage.place.now()).toBeGreaterThanOrEqual(begun + 5_000);
    expect(seam.about("/widgets/w")).toHaveLength(1);
  },

  "an integer beyond 2^53 and text of any kind reach the server byte for byte, and cost no second write": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    const group = `exact.${namespace}.example.com`;
    const odd = '<&>\u2028\u2029é\u{1F600}\\"\n\t end ';
    const widget = {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { namespace, name: "w", annotations: { "example.com/odd": odd } },
      spec: { size: 9_007_199_254_740_993n, low: -9_007_199_254_740_993n, "k<&>": odd },
    };
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    await ask(stage, { steadyState: [crd(group, "Widget"), widget, config(namespace, "x", { odd })] });
    await untilReady(stage);
    const path = `/apis/${group}/v1/namespaces/${namespace}/widgets/w`;
    const answer = await stage.place.fetch(new Request(`https://cluster.invalid${path}`));
    const text = await answer.text();
    expect(text).toMatch(/"size": ?9007199254740993[,}]/u);
    expect(text).toMatch(/"low": ?-9007199254740993[,}]/u);
    expect(member(parseJson(text), "spec", "k<&>")).toBe(odd);
    expect(member(parseJson(text), "metadata", "annotations", "example.com/odd")).toBe(odd);
    expect((await stage.find(ConfigMap, "x"))?.data).toEqual({ odd });
    await stage.place.idle(30_000);
    expect(seam.about("/widgets/w")).toHaveLength(1);
    expect(seam.about("/configmaps/x")).toHaveLength(1);
  },

  "40 · what others need is applied first, and pruned last": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    await start(stage, (runnable) => seam.around(runnable));
    const rbac = "rbac.authorization.k8s.io";
    const inNamespace = (object: ReturnType<typeof clusterWide>): ReturnType<typeof clusterWide> => ({
      ...object,
      metadata: { ...object.metadata, namespace },
    });
    const roleRef = { apiGroup: rbac, kind: "Role", name: "r" };
    const mixed = [
      deployment(namespace, "d"),
      service(namespace, "s"),
      clusterWide("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", `${namespace}-h`, {
        webhooks: [],
      }),
      config(namespace, "c"),
      inNamespace(clusterWide(`${rbac}/v1`, "RoleBinding", "b", { roleRef, subjects: [] })),
      inNamespace(clusterWide(`${rbac}/v1`, "Role", "r", { rules: [] })),
      clusterWide("v1", "Namespace", `${namespace}-n`),
      crd(`${namespace}.example.com`, "Order"),
    ];
    await ask(stage, { steadyState: mixed, checkDeploymentHealth: false });
    await untilReady(stage);
    const order = ["customresourcedefinitions", "namespaces", "roles", "rolebindings", "configmaps"];
    const all = [...order, "validatingwebhookconfigurations", "services", "deployments"];
    const touched = (method: string): readonly string[] => {
      const plurals = seam.writes
        .filter((told) => told.method === method)
        .map(({ path }) => path.split("/").at(-2) ?? "");
      return [...new Set(plurals.filter((plural) => all.includes(plural)))];
    };
    expect(touched("PATCH")).toEqual(all);
    await change(stage, { steadyState: [] });
    await untilReady(stage);
    expect(touched("DELETE")).toEqual(all.slice(2).toReversed());
  },

  "41 · a dependency fails: what depends on it is not applied, what does not is": async (stage) => {
    const { namespace } = stage.place;
    const seam = new Seam();
    seam.refuse = ({ method, path }) =>
      method === "PATCH" && path.endsWith("/configmaps/b") ? { reason: "Invalid", message: "b is bad" } : undefined;
    await start(stage, (runnable) => seam.around(runnable));
    const operand = { "depends-on": `/namespaces/${namespace}/ConfigMap/b` };
    const set = [config(namespace, "a", {}, { operand }), config(namespace, "b"), config(namespace, "c")];
    await ask(stage, { steadyState: set });
    const failed = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([
      { name: "a", reason: "DependencyNotReady" },
      { name: "b", reason: "Invalid" },
    ]);
    expect(await stage.find(ConfigMap, "a")).toBeUndefined();
    expect(await stage.find(ConfigMap, "c")).toBeDefined();
    seam.refuse = () => undefined;
    await untilReady(stage);
    expect(await stage.find(ConfigMap, "a")).toBeDefined();
  },

  "42 · a field that cannot change: failed with the reason, or made anew where that is allowed": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const set = (image: string, clusterIP: string, operand?: Readonly<Record<string, string>>): object => ({
      steadyState: [
        job(namespace, "j", image, operand === undefined ? {} : { operand }),
        service(namespace, "s", { clusterIP }),
      ],
    });
    await ask(stage, set("example.com/app:1", "None"));
    await untilReady(stage);
    const before = await stage.find(Job, "j");
    await change(stage, set("example.com/app:2", "None"));
    const failed = await until(stage, says("OperandInstalled", "False", "Failed"));
    expect(failed.status?.failing).toMatchObject([{ kind: "Job", name: "j", reason: "ImmutableField" }]);
    await change(stage, set("example.com/app:2", "None", { recreate: "true" }));
    await untilReady(stage);
    const after = await stage.find(Job, "j");
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.spec?.template.spec?.containers[0]?.image).toBe("example.com/app:2");
    expect(await stage.find(Service, "s")).toBeDefined();
  },
};
