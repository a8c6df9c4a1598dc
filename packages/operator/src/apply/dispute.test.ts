import { Deployment } from "@levelset/core";
import type { JsonObject, KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { describeDispute, disputeOf } from "./dispute.ts";

interface State {
  readonly replicas?: number;
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly status?: object;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

function web({ replicas, image = "web:1", labels = {}, status = {}, managedFields = [] }: State = {}): KubeObject {
  const object = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "web",
      namespace: "default",
      uid: "1",
      resourceVersion: "7",
      generation: 2,
      labels,
      managedFields,
    },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      template: { spec: { containers: [{ name: "main", image }] } },
    },
    status,
  };
  return object;
}

function entry(manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { manager, operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

const REPLICAS = { "f:spec": { "f:replicas": {} } };

describe("a dispute", () => {
  test("names the field that our write restored, and the manager that owned it before", () => {
    const before = web({
      replicas: 3,
      managedFields: [
        entry("kubectl", { "f:spec": { "f:paused": {} } }),
        entry("kube-controller-manager", REPLICAS, { subresource: "scale" }),
      ],
    });
    const dispute = disputeOf(Deployment, before, web({ replicas: 1 }));
    expect(dispute).toEqual({ kind: "field", field: "spec.replicas", more: 0, manager: "kube-controller-manager" });
    expect(dispute && describeDispute("deployment/web", dispute)).toMatch(
      /^spec\.replicas of deployment\/web is also written by kube-controller-manager: remove the field from/u,
    );
  });

  test("names the latest of several managers of a field", () => {
    const managedFields = [
      entry("early", REPLICAS, { time: "2026-01-01T00:00:00Z" }),
      entry("late", REPLICAS, { time: "2026-01-02T00:00:00Z" }),
    ];
    expect(disputeOf(Deployment, web({ replicas: 3, managedFields }), web({ replicas: 1 }))).toMatchObject({
      manager: "late",
    });
  });

  test("names a field of a list item by its key, and counts the other fields", () => {
    const image = { "f:containers": { 'k:{"name":"main"}': { "f:image": {} } } };
    const managedFields = [entry("patcher", { "f:spec": { "f:template": { "f:spec": image } } })];
    const dispute = disputeOf(Deployment, web({ replicas: 3, image: "web:2", managedFields }), web({ replicas: 1 }));
    expect(dispute).toEqual({
      kind: "field",
      field: 'spec.template.spec.containers[name="main"].image',
      more: 1,
      manager: "patcher",
    });
    expect(dispute && describeDispute("deployment/web", dispute)).toMatch(
      /and 1 more field of deployment\/web are also written by patcher: /u,
    );
  });

  test("has no manager for a removed field, regardless of the managedFields entries", () => {
    const managedFields = [entry("us", { "f:metadata": { "f:labels": { "f:example.com/tier": {} } } })];
    const dispute = disputeOf(Deployment, web({ managedFields }), web({ labels: { "example.com/tier": "gold" } }));
    expect(dispute).toEqual({
      kind: "field",
      field: "metadata.labels.example.com/tier",
      more: 0,
      manager: undefined,
    });
  });

  test("is undefined if only the status or fields of the server differ", () => {
    const after = web({ status: { replicas: 1 } });
    const moved = { ...after, metadata: { ...after.metadata, resourceVersion: "8", generation: 3 } };
    expect(disputeOf(Deployment, web(), moved)).toBeUndefined();
  });

  test("is about the whole object if it was deleted or recreated", () => {
    const after = web();
    expect(disputeOf(Deployment, undefined, after)).toEqual({ kind: "deleted" });
    expect(disputeOf(Deployment, { ...after, metadata: { ...after.metadata, uid: "0" } }, after)).toEqual({
      kind: "deleted",
    });
  });

  test("is found even if managedFields cannot be decoded", () => {
    const managedFields = [entry("odd", REPLICAS, { fieldsType: "FieldsV9" })];
    expect(disputeOf(Deployment, web({ replicas: 3, managedFields }), web({ replicas: 1 }))).toMatchObject({
      field: "spec.replicas",
      manager: undefined,
    });
  });
});
