import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt } from "../suite/match.ts";
import { installCrd, workload } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

/** Updates. */
export const UPDATE: readonly Case[] = group("update", "requests", [
  [
    "an update with an outdated resourceVersion is a conflict",
    "API conventions: concurrency control",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" } });
      await t.patch("merge", "configmaps/a", { data: { x: "1" } });
      await expectError(t.replace("configmaps/a", first.json as object), 409, "Conflict", {
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: "a", kind: "configmaps" },
      });
    },
  ],
  [
    "an update with the current resourceVersion succeeds, and increments it",
    "API conventions: concurrency control",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" } });
      const second = await t.replace("configmaps/a", { ...(first.json as object), data: { x: "1" } });
      second.expectStatus(200).expectShape({ data: { x: "1" } });
      assert.ok(Number(second.str("metadata.resourceVersion")) > Number(first.str("metadata.resourceVersion")));
    },
  ],
  [
    "an update without resourceVersion overwrites a ConfigMap",
    "apiserver: AllowUnconditionalUpdate",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { old: "1" } });
      (await t.replace("configmaps/a", { metadata: { name: "a" }, data: { new: "2" } })).expectShape({
        data: { new: "2", old: undefined },
      });
    },
  ],
  [
    "an update of a custom resource without resourceVersion is rejected",
    "apiserver: AllowUnconditionalUpdate of custom resources",
    async (t) => {
      await installCrd(t);
      await t.create("widgets", { metadata: { name: "a" } });
      await expectError(t.replace("widgets/a", { metadata: { name: "a" } }), 422, "Invalid", {
        causes: ["metadata.resourceVersion: FieldValueInvalid"],
        message: /metadata.resourceVersion: Invalid value: 0: must be specified for an update/u,
      });
    },
  ],
  [
    "an update without changes keeps the resourceVersion",
    "apiserver: registry store, no-op updates",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } });
      const second = await t.replace("configmaps/a", first.json as object);
      assert.equal(second.at("metadata.resourceVersion"), first.at("metadata.resourceVersion"));
    },
  ],
  [
    "an update of a missing object is not found",
    "apiserver: AllowCreateOnUpdate is false",
    async (t) =>
      void (await expectError(t.replace("configmaps/absent", { metadata: { name: "absent" } }), 404, "NotFound")),
  ],
  [
    "a lease may be created by an update",
    "coordination: lease strategy, AllowCreateOnUpdate",
    async (t) => {
      const spec = { holderIdentity: "me", leaseDurationSeconds: 10 };
      (await t.replace("leases/a", { metadata: { name: "a" }, spec })).expectStatus(201);
    },
  ],
  [
    "the name in the body must match the path",
    "apiserver: update handler, ensureObjectNameMatches",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.replace("configmaps/a", { metadata: { name: "b" } }), 400, "BadRequest", {
        message: "the name of the object (b) does not match the name on the URL (a)",
      });
    },
  ],
  [
    "an update with another uid is a conflict",
    "apiserver: registry store, preconditions of updates",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      const metadata = { name: "a", uid: "11111111-1111-4111-8111-111111111111" };
      await expectError(t.replace("configmaps/a", { metadata }), 409, "Conflict", {
        message: /Precondition failed: UID in precondition/u,
      });
    },
  ],
  [
    "changes of creationTimestamp and uid are ignored",
    "apiserver: rest.BeforeUpdate",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" } });
      const second = await t.replace("configmaps/a", {
        metadata: { name: "a", creationTimestamp: "2001-01-01T00:00:00Z" },
        data: { x: "1" },
      });
      second.expectShape({
        metadata: { uid: first.str("metadata.uid"), creationTimestamp: first.str("metadata.creationTimestamp") },
      });
    },
  ],
  [
    "generation counts changes of spec, not of metadata or status",
    "API conventions: metadata.generation",
    async (t) => {
      const generation = async (path: string, patch: object): Promise<unknown> =>
        (await t.patch("merge", path, patch)).at("metadata.generation");
      await t.create("ingresses", {
        metadata: { name: "a" },
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      });
      assert.equal(await generation("ingresses/a", { metadata: { labels: { x: "y" } } }), 1);
      assert.equal(await generation("ingresses/a", { spec: { ingressClassName: "c" } }), 2);
      assert.equal(
        await generation("ingresses/a/status", { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }),
        2,
      );
    },
  ],
  [
    "generation of a custom resource with status counts all changes except metadata and status",
    "docs: custom resources, status subresource",
    async (t) => {
      await installCrd(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      const generation = async (path: string, patch: object): Promise<unknown> =>
        (await t.patch("merge", path, patch)).at("metadata.generation");
      await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1 } });
      assert.equal(await generation("widgets/a", { metadata: { labels: { x: "y" } } }), 1);
      assert.equal(await generation("widgets/a", { spec: { x: 2 } }), 2);
      assert.equal(await generation("widgets/a/status", { status: { y: 1 } }), 2);
    },
  ],
  [
    "an update of the object does not change status",
    "API conventions: spec and status",
    async (t) => {
      await installCrd(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { x: 1 }, status: { y: 1 } });
      (await t.get("widgets/a")).expectShape({ status: undefined });
      await t.patch("merge", "widgets/a/status", { status: { y: 2 } });
      (await t.patch("merge", "widgets/a", { status: { y: 3 }, spec: { x: 2 } })).expectShape({
        status: { y: 2 },
        spec: { x: 2 },
      });
    },
  ],
  [
    "an update of status does not change spec and labels",
    "API conventions: spec and status; custom resource status strategy",
    async (t) => {
      await installCrd(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      await t.create("widgets", { metadata: { name: "a", labels: { l: "1" } }, spec: { x: 1 } });
      const patch = { metadata: { labels: { l: "2" }, annotations: { n: "1" } }, spec: { x: 2 }, status: { y: 1 } };
      (await t.patch("merge", "widgets/a/status", patch)).expectShape({
        metadata: { labels: { l: "1" }, annotations: undefined },
        spec: { x: 1 },
        status: { y: 1 },
      });
    },
  ],
  [
    "without a status subresource status is an ordinary field",
    "docs: custom resources, status subresource",
    async (t) => {
      await installCrd(t);
      (await t.create("widgets", { metadata: { name: "a" }, status: { y: 1 } })).expectShape({ status: { y: 1 } });
      (await t.patch("merge", "widgets/a", { status: { y: 2 } })).expectShape({
        status: { y: 2 },
        metadata: { generation: 2 },
      });
      assert.equal((await t.send("GET", "widgets/a/status")).status, 404);
    },
  ],
  [
    "an update of a built-in status keeps spec",
    "apps: deployment status strategy",
    async (t) => {
      const first = await t.create("deployments", {
        metadata: { name: "a" },
        spec: workload("a", { replicas: 0, paused: true }),
      });
      await eventually("the status is written", async () => {
        const latest = await t.get("deployments/a");
        const body = {
          ...(latest.json as object),
          spec: workload("b"),
          status: { observedGeneration: 1, replicas: 7 },
        };
        const response = await t.send("PUT", "deployments/a/status", { body });
        return (
          response.status === 200 &&
          response.expectShape({ spec: { selector: { matchLabels: { app: "a" } } }, status: { replicas: 7 } })
        );
      });
      assert.equal((await t.get("deployments/a")).at("metadata.generation"), first.at("metadata.generation"));
    },
  ],
  [
    "a dry run of an update returns the new object and does not store it",
    "docs: dry-run",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, data: { x: "1" } });
      (await t.replace("configmaps/a", { metadata: { name: "a" }, data: { x: "2" } }, { dryRun: "All" })).expectShape({
        data: { x: "2" },
      });
      (await t.get("configmaps/a")).expectShape({ data: { x: "1" } });
    },
  ],
  [
    "finalizers cannot be added to an object that is being deleted",
    "apimachinery: validation.ValidateObjectMetaUpdate",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a", finalizers: ["example.com/x"] } });
      await t.delete("configmaps/a");
      await expectError(
        t.patch("merge", "configmaps/a", { metadata: { finalizers: ["example.com/x", "example.com/y"] } }),
        422,
        "Invalid",
        {
          causes: ["metadata.finalizers: FieldValueForbidden"],
        },
      );
    },
  ],
  [
    "deletionTimestamp cannot be set by an update",
    "apimachinery: validation.ValidateObjectMetaUpdate",
    async (t) => {
      const first = await t.create("configmaps", { metadata: { name: "a" } });
      const metadata = { ...(valueAt(first.json, "metadata") as object), deletionTimestamp: "2030-01-01T00:00:00Z" };
      await expectError(t.replace("configmaps/a", { metadata }), 422, "Invalid", {
        message: /metadata.deletionTimestamp: Invalid value: .*: field is immutable/u,
      });
    },
  ],
  [
    "PUT to a collection is not allowed",
    "apiserver: routes of collections",
    async (t) => {
      await expectError(t.send("PUT", "configmaps", { body: {} }), 405, "MethodNotAllowed");
    },
  ],
]);
