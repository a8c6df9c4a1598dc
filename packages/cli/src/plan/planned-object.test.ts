import type { KubeObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { plannedObjects } from "./planned-object.ts";
import type { PlannedChange } from "./planned-object.ts";
import type { StoreChange } from "./store-changes.ts";

function object(kind: string, fields: object = {}, metadata: object = {}): KubeObject {
  const named = { name: "web", namespace: "shop", uid: "1", resourceVersion: "1", ...metadata };
  return { apiVersion: "apps/v1", kind, metadata: named, ...fields };
}

function changed(resource: string, before: KubeObject | undefined, after: KubeObject | undefined): StoreChange {
  return { resource, before, after, writes: 1 };
}

function planned(change: StoreChange, own: readonly string[] = []): PlannedChange | undefined {
  return plannedObjects([change], new Set(own)).get(change);
}

function restarts(change: StoreChange): number | undefined {
  const of = planned(change);
  return of === "internal" ? undefined : of?.restarts;
}

const template = (image: string): object => ({ spec: { containers: [{ name: "web", image }] } });

describe("a change", () => {
  test.each([
    ["managedFields", {}, { managedFields: [{ manager: "x" }], resourceVersion: "2", generation: 2 }],
    [
      "records of levelset",
      {},
      { annotations: { "levelset.dev/applied": "h" }, labels: { "levelset.dev/owner-uid": "u" } },
    ],
  ])("of %s only is internal", (_what, fields, metadata) => {
    const before = object("ConfigMap", { data: {} });
    expect(planned(changed("configmaps", before, object("ConfigMap", { data: {}, ...fields }, metadata)))).toBe(
      "internal",
    );
  });

  test("of the status is one of the object, unless the operator reconciles the kind", () => {
    const [before, after] = [object("App", { status: { a: 1 } }), object("App", { status: { a: 2 } })];
    expect(planned(changed("apps.test.dev", before, after))).toMatchObject({ action: "change" });
    expect(planned(changed("apps.test.dev", before, after), ["apps.test.dev"])).toBe("internal");
  });

  test("of finalizers, labels and owners is shown", () => {
    const before = object("ConfigMap");
    for (const metadata of [{ finalizers: ["a.dev/x"] }, { labels: { a: "b" } }, { ownerReferences: [{ uid: "2" }] }]) {
      expect(planned(changed("configmaps", before, object("ConfigMap", {}, metadata)))).toMatchObject({
        action: "change",
      });
    }
  });

  test("that requests a deletion is a deletion that waits for the finalizers", () => {
    const metadata = { finalizers: ["a.dev/x"] };
    const after = object("ConfigMap", {}, { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(planned(changed("configmaps", object("ConfigMap", {}, metadata), after))).toMatchObject({
      action: "delete",
      after: undefined,
      finalizers: ["a.dev/x"],
    });
  });

  test("to another uid recreates the object", () => {
    const after = object("ConfigMap", {}, { uid: "2" });
    expect(planned(changed("configmaps", object("ConfigMap"), after))).toMatchObject({ action: "recreate" });
  });
});

describe("restarts", () => {
  const deployment = (image: string, spec: object = {}, metadata: object = {}): KubeObject =>
    object(
      "Deployment",
      { spec: { replicas: 5, template: template(image), ...spec }, status: { replicas: 3 } },
      metadata,
    );

  test("of a Deployment are its pods if the template changes", () => {
    const web = (after: KubeObject | undefined): StoreChange => changed("deployments.apps", deployment("web:1"), after);
    expect(restarts(web(deployment("web:2")))).toBe(3);
    expect(restarts(web(deployment("web:1", { replicas: 1 })))).toBe(0);
    expect(restarts(web(deployment("web:2", { paused: true })))).toBe(0);
    expect(restarts(web(deployment("web:1", {}, { uid: "2" })))).toBe(3);
    expect(restarts(web(undefined))).toBe(0);
    expect(restarts(changed("deployments.apps", undefined, deployment("web:2")))).toBe(0);
  });

  test("of a StatefulSet depend on its update strategy", () => {
    const set = (image: string, updateStrategy?: object): KubeObject =>
      object("StatefulSet", { spec: { replicas: 3, template: template(image), updateStrategy } });
    const to = (updateStrategy?: object): number | undefined =>
      restarts(changed("statefulsets.apps", set("db:1"), set("db:2", updateStrategy)));
    expect(to()).toBe(3);
    expect(to({ type: "OnDelete" })).toBe(0);
    expect(to({ type: "RollingUpdate", rollingUpdate: { partition: 2 } })).toBe(1);
  });

  test("of a DaemonSet are the pods on its nodes", () => {
    const set = (image: string): KubeObject =>
      object("DaemonSet", { spec: { template: template(image) }, status: { currentNumberScheduled: 7 } });
    expect(restarts(changed("daemonsets.apps", set("a:1"), set("a:2")))).toBe(7);
  });

  test("include pods that are deleted, unless their owner is deleted too", () => {
    const owner = object("ReplicaSet", {}, { uid: "set" });
    const pod = object("Pod", {}, { ownerReferences: [{ uid: "set" }] });
    const alone = changed("pods", pod, undefined);
    expect(restarts(alone)).toBe(1);
    const both = plannedObjects([changed("replicasets.apps", owner, undefined), alone], new Set()).get(alone);
    expect(both).toMatchObject({ action: "delete", restarts: 0 });
  });
});

test("Jobs that are created run, unless they are suspended", () => {
  const job = (spec: object): StoreChange => changed("jobs.batch", undefined, object("Job", { spec }));
  expect(planned(job({}))).toMatchObject({ action: "create", runs: true });
  expect(planned(job({ suspend: true }))).toMatchObject({ runs: false });
});

test("values that a server assigns are not shown as if they were known", () => {
  const service = (clusterIP: string): StoreChange =>
    changed("services", undefined, object("Service", { spec: { clusterIP, clusterIPs: [clusterIP] } }));
  expect(planned(service("10.0.0.1"))).toMatchObject({ after: { spec: { clusterIP: "(assigned)" } } });
  expect(planned(service("None"))).toMatchObject({ after: { spec: { clusterIP: "None", clusterIPs: ["None"] } } });
  const owner = changed("deployments.apps", undefined, object("Deployment", {}, { uid: "new" }));
  const child = changed("configmaps", undefined, object("ConfigMap", {}, { ownerReferences: [{ uid: "new" }] }));
  expect(plannedObjects([owner, child], new Set()).get(child)).toMatchObject({
    after: { metadata: { ownerReferences: [{ uid: "(assigned)" }] } },
  });
});
