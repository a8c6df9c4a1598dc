import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { untilCollectorSynced } from "../suite/garbage-collector-sync.ts";
import { createPod, createOwnedSecret, workload } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

const FINALIZER = "example.com/x";

/** Deletion. */
export const DELETE: readonly Case[] = group("delete", "requests", [
  [
    "a deletion returns a Status with the object's name, and the object is gone",
    "API reference: delete",
    async (t) => {
      const uid = (await t.create("configmaps", { metadata: { name: "a" } })).str("metadata.uid");
      (await t.delete("configmaps/a")).expectStatus(200).expectShape({
        kind: "Status",
        apiVersion: "v1",
        status: "Success",
        details: { name: "a", kind: "configmaps", uid },
      });
      await expectError(t.get("configmaps/a"), 404, "NotFound");
      await expectError(t.delete("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "a deletion of a service account returns the object",
    "core: REST storage with ReturnDeletedObject",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      (await t.delete("serviceaccounts/a")).expectShape({ kind: "ServiceAccount", metadata: { name: "a" } });
    },
  ],
  [
    "a finalizer keeps the object, with a deletionTimestamp, until it is removed",
    "docs: finalizers",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", finalizers: [FINALIZER] } });
      (await t.delete("configmaps/a")).expectStatus(200).expectShape({
        kind: "ConfigMap",
        metadata: { name: "a", deletionTimestamp: /Z$/u, deletionGracePeriodSeconds: 0, finalizers: [FINALIZER] },
      });
      const first = await t.get("configmaps/a");
      const second = await t.delete("configmaps/a");
      assert.equal(second.at("metadata.deletionTimestamp"), first.at("metadata.deletionTimestamp"));
      await t.patch("json", "configmaps/a", [{ op: "remove", path: "/metadata/finalizers" }]);
      await expectError(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "a pending deletion increments the generation",
    "apiserver: rest.BeforeDelete",
    async (t) => {
      await t.create("ingresses", {
        metadata: { name: "a", finalizers: [FINALIZER] },
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      });
      (await t.delete("ingresses/a")).expectShape({ metadata: { generation: 2 } });
    },
  ],
  [
    "a failed precondition on uid or resourceVersion is a conflict",
    "apimachinery: metav1.Preconditions",
    async (t) => {
      const response = await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.delete("configmaps/a", { preconditions: { uid: "other" } }), 409, "Conflict", {
        message: /the UID in the precondition \(other\) does not match the UID in record/u,
      });
      await expectError(t.delete("configmaps/a", { preconditions: { resourceVersion: "1" } }), 409, "Conflict", {
        message: /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record/u,
      });
      const preconditions = {
        uid: response.str("metadata.uid"),
        resourceVersion: response.str("metadata.resourceVersion"),
      };
      (await t.delete("configmaps/a", { preconditions })).expectShape({ status: "Success" });
    },
  ],
  [
    "a dry run of a deletion keeps the object",
    "docs: dry-run",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      (await t.delete("configmaps/a", undefined, { dryRun: "All" })).expectStatus(200);
      await t.delete("configmaps/a", { dryRun: ["All"] });
      (await t.get("configmaps/a")).expectShape({ metadata: { deletionTimestamp: undefined } });
    },
  ],
  [
    "an unknown propagation policy, or a policy with orphanDependents, is invalid",
    "apimachinery: validation.ValidateDeleteOptions",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.delete("configmaps/a", { propagationPolicy: "Sideways" }), 422, "Invalid", {
        causes: ["propagationPolicy: FieldValueNotSupported"],
      });
      await expectError(
        t.delete("configmaps/a", { propagationPolicy: "Orphan", orphanDependents: true }),
        422,
        "Invalid",
        {
          causes: ["propagationPolicy: FieldValueInvalid"],
        },
      );
      await expectError(t.delete("configmaps/a", undefined, { propagationPolicy: "Sideways" }), 422, "Invalid");
    },
  ],
  [
    "malformed delete options are a bad request",
    "apiserver: delete handler",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.delete("configmaps/a", "{nonsense"), 400, "BadRequest");
      await expectError(t.delete("configmaps/a", { apiVersion: "v1", kind: "ConfigMap" }), 400, "BadRequest");
      await t.get("configmaps/a");
    },
  ],
  [
    "foreground deletion marks the owner with a finalizer until its dependents are gone",
    "docs: garbage collection, foreground",
    async (t) => {
      const owner = await t.create("configmaps", { metadata: { name: "owner" } });
      await createOwnedSecret(t, owner, "held", { blockOwnerDeletion: true });
      await t.patch("merge", "secrets/held", { metadata: { finalizers: [FINALIZER] } });
      await untilCollectorSynced(t, "secrets");
      (await t.delete("configmaps/owner", { propagationPolicy: "Foreground" })).expectShape({
        kind: "ConfigMap",
        metadata: { deletionTimestamp: /Z$/u, finalizers: ["foregroundDeletion"] },
      });
      await eventually(
        "the dependent is being deleted",
        async () => (await t.get("secrets/held")).at("metadata.deletionTimestamp") !== undefined,
      );
      await t.get("configmaps/owner");
      await t.patch("merge", "secrets/held", { metadata: { finalizers: null } });
      await t.untilDeleted("configmaps/owner");
      await t.untilDeleted("secrets/held");
    },
  ],
  [
    "background deletion removes the owner at once and its dependents later",
    "docs: garbage collection, background",
    async (t) => {
      const owner = await t.create("configmaps", { metadata: { name: "owner" } });
      await createOwnedSecret(t, owner, "a");
      (await t.delete("configmaps/owner", { propagationPolicy: "Background" })).expectShape({ status: "Success" });
      await expectError(t.get("configmaps/owner"), 404, "NotFound");
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "orphaned dependents stay without the owner reference",
    "docs: garbage collection, orphans",
    async (t) => {
      const owner = await t.create("configmaps", { metadata: { name: "owner" } });
      await createOwnedSecret(t, owner, "a");
      await untilCollectorSynced(t, "secrets");
      await t.delete("configmaps/owner", { propagationPolicy: "Orphan" });
      await t.untilDeleted("configmaps/owner");
      (await t.get("secrets/a")).expectShape({
        metadata: { ownerReferences: undefined, deletionTimestamp: undefined },
      });
    },
  ],
  [
    "the default for a Deployment is background",
    "apps: default garbage collection policy",
    async (t) => {
      const owner = await t.create("deployments", {
        metadata: { name: "owner" },
        spec: workload("a", { replicas: 0, paused: true }),
      });
      await createOwnedSecret(t, owner, "a");
      (await t.delete("deployments/owner")).expectShape({ kind: "Status" });
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "the default for a Job is to orphan, with a warning",
    "batch: job strategy, DefaultGarbageCollectionPolicy and WarningsOnDelete",
    async (t) => {
      const spec = {
        suspend: true,
        template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } },
      };
      const owner = await t.create("jobs", { metadata: { name: "owner" }, spec });
      await createOwnedSecret(t, owner, "a");
      await untilCollectorSynced(t, "secrets");
      const response = await t.delete("jobs/owner");
      assert.match(String(response.headers["warning"]), /child pods are preserved by default when jobs are deleted/u);
      await t.untilDeleted("jobs/owner");
      await eventually(
        "it has no owner",
        async () => (await t.get("secrets/a")).at("metadata.ownerReferences") === undefined,
      );
    },
  ],
  [
    "a pod without a node is removed at once, one with a node waits for its grace period",
    "core: pod strategy, CheckGracefulDelete",
    async (t) => {
      await createPod(t, "free");
      await t.delete("pods/free");
      await t.untilDeleted("pods/free");
      await createPod(t, "bound", { nodeName: t.unique("node"), terminationGracePeriodSeconds: 77 });
      (await t.delete("pods/bound")).expectShape({
        kind: "Pod",
        metadata: { deletionTimestamp: /Z$/u, deletionGracePeriodSeconds: 77 },
      });
      (await t.get("pods/bound")).expectShape({ metadata: { deletionGracePeriodSeconds: 77 } });
      await t.delete("pods/bound", { gracePeriodSeconds: 5 });
      (await t.get("pods/bound")).expectShape({ metadata: { deletionGracePeriodSeconds: 5 } });
      await t.delete("pods/bound", { gracePeriodSeconds: 0 });
      await expectError(t.get("pods/bound"), 404, "NotFound");
    },
  ],
  [
    "a negative grace period counts as one second",
    "apimachinery: rest.BeforeDelete",
    async (t) => {
      await createPod(t, "a", { nodeName: t.unique("node") });
      (await t.delete("pods/a", { gracePeriodSeconds: -5 })).expectShape({
        metadata: { deletionGracePeriodSeconds: 1 },
      });
      await t.delete("pods/a", { gracePeriodSeconds: 0 });
    },
  ],
  [
    "a collection is deleted by selectors and returns the list",
    "API reference: delete collection",
    async (t) => {
      for (const [name, tier] of [
        ["a", "x"],
        ["b", "x"],
        ["c", "y"],
      ])
        await t.create("secrets", { metadata: { name, labels: { tier } } });
      const response = await t.delete("secrets", undefined, { labelSelector: "tier=x" });
      response.expectShape({ kind: "SecretList" });
      assert.deepEqual(response.names, ["a", "b"]);
      assert.deepEqual((await t.get("secrets")).names, ["c"]);
      await t.delete("secrets", undefined, { fieldSelector: "metadata.name=c" });
      assert.deepEqual((await t.get("secrets")).names, []);
    },
  ],
  [
    "a dry run of deletecollection keeps all objects",
    "docs: dry-run",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await t.delete("secrets", undefined, { dryRun: "All" });
      assert.deepEqual((await t.get("secrets")).names, ["a"]);
    },
  ],
  [
    "objects with finalizers stay when the collection is deleted",
    "API reference: delete collection",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a", finalizers: [FINALIZER] } });
      await t.create("secrets", { metadata: { name: "b" } });
      await t.delete("secrets");
      const left = await t.get("secrets");
      assert.deepEqual(left.names, ["a"]);
      left.expectShape({ items: [{ metadata: { deletionTimestamp: /Z$/u } }] });
    },
  ],
]);
