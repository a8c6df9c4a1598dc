import assert from "node:assert/strict";
import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { match } from "../../suite/match.ts";
import { eventually } from "../../../../support/eventually.ts";

const FINALIZER = "example.com/x";

/** Lifecycle of namespaces. */
export const NAMESPACES: readonly Case[] = group("namespaces", "requests", [
  [
    "a namespace is active, has a finalizer in its spec and a label with its name",
    "docs: namespaces; NamespaceDefaultLabelName",
    async (t) => {
      await t.ready();
      (await t.get(`namespaces/${t.namespace}`)).expectShape({
        metadata: { labels: { "kubernetes.io/metadata.name": t.namespace } },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Active" },
      });
    },
  ],
  [
    "the initial namespaces exist",
    "docs: namespaces, initial namespaces",
    async (t) => {
      for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"])
        (await t.get(`namespaces/${name}`)).expectShape({ status: { phase: "Active" } });
    },
  ],
  [
    "the name of a namespace is a DNS label",
    "core: namespace validation",
    async (t) => {
      await expectError(t.create("namespaces", { metadata: { name: "a.b" } }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
      });
    },
  ],
  [
    "a deleted namespace is terminating, and its content is deleted",
    "docs: namespace lifecycle",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      (await t.delete(`namespaces/${t.namespace}`)).expectShape({
        kind: "Namespace",
        status: { phase: "Terminating" },
        metadata: { deletionTimestamp: /Z$/u },
      });
      await t.untilDeleted(`namespaces/${t.namespace}`);
      await expectError(t.get("configmaps/a"), 404, "NotFound");
    },
  ],
  [
    "creates in a terminating namespace are rejected",
    "apiserver: NamespaceLifecycle admission",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "held", finalizers: [FINALIZER] } });
      await t.delete(`namespaces/${t.namespace}`);
      await expectError(t.create("configmaps", { metadata: { name: "b" } }), 403, "Forbidden", {
        message: `configmaps "b" is forbidden: unable to create new content in namespace ${t.namespace} because it is being terminated`,
        causes: ["metadata.namespace: NamespaceTerminating"],
      });
      await t.patch("merge", "configmaps/held", { metadata: { finalizers: null } });
      await t.untilDeleted(`namespaces/${t.namespace}`);
    },
  ],
  [
    "a finalizer in the namespace keeps it, and conditions report it",
    "namespace controller: conditions",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "held", finalizers: [FINALIZER] } });
      await t.delete(`namespaces/${t.namespace}`);
      const response = await eventually("conditions are set", async () => {
        const latest = await t.get(`namespaces/${t.namespace}`);
        return latest.at("status.conditions") !== undefined && latest;
      });
      const conditions = response.list("status.conditions") as readonly {
        type: string;
        status: string;
        reason: string;
        message: string;
      }[]; // the schema of conditions
      const remaining = conditions.find(({ type }) => type === "NamespaceFinalizersRemaining");
      assert.deepEqual([remaining?.status, remaining?.reason], ["True", "SomeFinalizersRemain"]);
      assert.match(remaining?.message ?? "", /example\.com\/x in 1 resource instances/u);
      assert.equal(conditions.find(({ type }) => type === "NamespaceDeletionDiscoveryFailure")?.status, "False");
      await t.patch("merge", "configmaps/held", { metadata: { finalizers: null } });
      await t.untilDeleted(`namespaces/${t.namespace}`);
    },
  ],
  [
    "system namespaces cannot be deleted",
    "apiserver: NamespaceLifecycle admission, immortal namespaces",
    async (t) => {
      await expectError(t.delete("namespaces/default"), 403, "Forbidden", {
        message: 'namespaces "default" is forbidden: this namespace may not be deleted',
      });
    },
  ],
  [
    "a namespace gets the service account default, also after its deletion",
    "docs: service accounts, default",
    async (t) => {
      await t.ready();
      const first = await eventually(
        "it is there",
        async () => (await t.send("GET", "serviceaccounts/default")).status === 200 && t.get("serviceaccounts/default"),
      );
      await t.delete("serviceaccounts/default");
      await eventually("it is there again", async () => {
        const response = await t.send("GET", "serviceaccounts/default");
        return response.status === 200 && response.at("metadata.uid") !== first.at("metadata.uid");
      });
    },
  ],
  [
    "a namespace gets the CA certificate of the server as a ConfigMap",
    "kube-controller-manager: root CA publisher",
    async (t) => {
      await t.ready();
      const response = await eventually("it is there", async () => {
        const found = await t.send("GET", "configmaps/kube-root-ca.crt");
        return found.status === 200 && found;
      });
      match(response.at("data"), { "ca.crt": /BEGIN CERTIFICATE/u });
    },
  ],
  [
    "finalize removes the finalizers in the spec of a namespace",
    "API reference: replace finalize of a namespace",
    async (t) => {
      const name = t.unique("f");
      const created = await t.create("namespaces", {
        metadata: { name },
        spec: { finalizers: ["example.com/x", "kubernetes"] },
      });
      created.expectShape({ spec: { finalizers: ["example.com/x", "kubernetes"] } });
      await t.delete(`namespaces/${name}`);
      await eventually("only ours is left", async () => {
        const latest = await t.get(`namespaces/${name}`);
        return latest.list("spec.finalizers").length === 1;
      });
      const latest = await t.get(`namespaces/${name}`);
      await t.replace(`namespaces/${name}/finalize`, { ...(latest.json as object), spec: { finalizers: [] } });
      await t.untilDeleted(`namespaces/${name}`);
    },
  ],
]);
