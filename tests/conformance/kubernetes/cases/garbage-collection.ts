import type { CaseResponse } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { installCrd, createOwnedSecret } from "../suite/objects.ts";
import { eventually } from "../../../support/eventually.ts";

/** Garbage collection. */
export const GARBAGE_COLLECTION: readonly Case[] = group("garbage collection", "requests", [
  [
    "an object whose owner never existed is collected",
    "docs: garbage collection, owners and dependents",
    async (t) => {
      const ownerReferences = [
        { apiVersion: "v1", kind: "ConfigMap", name: "absent", uid: "11111111-1111-4111-8111-111111111111" },
      ];
      await t.create("secrets", { metadata: { name: "a", ownerReferences } });
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "an owner of the same name with another uid is not the owner",
    "docs: garbage collection; uid of owner references",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "owner" } });
      const ownerReferences = [
        { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "11111111-1111-4111-8111-111111111111" },
      ];
      await t.create("secrets", { metadata: { name: "a", ownerReferences } });
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "with two owners, the loss of one removes its reference only",
    "garbage collector: dangling and solid owners",
    async (t) => {
      const one = await t.create("configmaps", { metadata: { name: "one" } });
      const two = await t.create("configmaps", { metadata: { name: "two" } });
      const reference = (owner: CaseResponse): object => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        name: owner.str("metadata.name"),
        uid: owner.str("metadata.uid"),
      });
      await t.create("secrets", { metadata: { name: "a", ownerReferences: [reference(one), reference(two)] } });
      await t.delete("configmaps/one");
      await eventually(
        "one reference is left",
        async () => (await t.get("secrets/a")).list("metadata.ownerReferences").length === 1,
      );
      (await t.get("secrets/a")).expectShape({
        metadata: { ownerReferences: [{ name: "two" }], deletionTimestamp: undefined },
      });
    },
  ],
  [
    "dependents of dependents are deleted too",
    "docs: garbage collection, cascading deletion",
    async (t) => {
      const owner = await t.create("configmaps", { metadata: { name: "owner" } });
      const middle = await createOwnedSecret(t, owner, "middle");
      await createOwnedSecret(t, middle, "leaf");
      await t.delete("configmaps/owner");
      await t.untilDeleted("secrets/leaf");
      await t.untilDeleted("secrets/middle");
    },
  ],
  [
    "a namespaced object may be owned by a cluster-scoped one",
    "docs: owners and dependents, scopes",
    async (t) => {
      const owner = await t.create("clusterroles", { metadata: { name: t.unique("owner") }, rules: [] });
      await createOwnedSecret(t, owner, "a");
      await t.delete(`clusterroles/${t.unique("owner")}`);
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "an owner in another namespace counts as absent",
    "docs: owners and dependents, cross-namespace owners",
    async (t) => {
      const owner = await t.create("/api/v1/namespaces/default/configmaps", { metadata: { name: t.unique("owner") } });
      await createOwnedSecret(t, owner, "a");
      await t.untilDeleted("secrets/a");
    },
  ],
  [
    "dependents of a custom resource are deleted with it",
    "docs: garbage collection, custom resources",
    async (t) => {
      await installCrd(t);
      const owner = await t.create("widgets", { metadata: { name: "owner" } });
      await createOwnedSecret(t, owner, "a", { controller: true });
      await t.delete("widgets/owner");
      await eventually(
        "the collector has learnt of the kind",
        async () => (await t.send("GET", "secrets/a")).status === 404,
        { timeoutMs: 60_000 },
      );
    },
    "slow",
  ],
]);
