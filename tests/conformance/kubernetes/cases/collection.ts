import type { Answer } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { declareKind, owned } from "../suite/objects.ts";
import { until } from "../suite/until.ts";

/** The garbage collector and namespaces. */
export const COLLECTION: readonly Case[] = group("garbage collection", "requests", [
  [
    "an object whose owner never existed is collected",
    "docs: garbage collection, owners and dependents",
    async (t) => {
      const ownerReferences = [
        { apiVersion: "v1", kind: "ConfigMap", name: "absent", uid: "11111111-1111-4111-8111-111111111111" },
      ];
      await t.create("secrets", { metadata: { name: "a", ownerReferences } });
      await t.gone("secrets/a");
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
      await t.gone("secrets/a");
    },
  ],
  [
    "with two owners the loss of one only removes its reference",
    "garbage collector: dangling and solid owners",
    async (t) => {
      const one = await t.create("configmaps", { metadata: { name: "one" } });
      const two = await t.create("configmaps", { metadata: { name: "two" } });
      const reference = (owner: Answer): object => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        name: owner.str("metadata.name"),
        uid: owner.str("metadata.uid"),
      });
      await t.create("secrets", { metadata: { name: "a", ownerReferences: [reference(one), reference(two)] } });
      await t.delete("configmaps/one");
      await until(
        "one reference is left",
        async () => (await t.get("secrets/a")).list("metadata.ownerReferences").length === 1,
      );
      (await t.get("secrets/a")).is({ metadata: { ownerReferences: [{ name: "two" }], deletionTimestamp: undefined } });
    },
  ],
  [
    "dependents of dependents go too",
    "docs: garbage collection, cascading deletion",
    async (t) => {
      const owner = await t.create("configmaps", { metadata: { name: "owner" } });
      const middle = await owned(t, owner, "middle");
      await owned(t, middle, "leaf");
      await t.delete("configmaps/owner");
      await t.gone("secrets/leaf");
      await t.gone("secrets/middle");
    },
  ],
  [
    "a namespaced object is owned by a cluster-scoped one",
    "docs: owners and dependents, scopes",
    async (t) => {
      const owner = await t.create("clusterroles", { metadata: { name: t.unique("owner") }, rules: [] });
      await owned(t, owner, "a");
      await t.delete(`clusterroles/${t.unique("owner")}`);
      await t.gone("secrets/a");
    },
  ],
  [
    "an owner in another namespace counts as absent",
    "docs: owners and dependents, cross-namespace owners",
    async (t) => {
      const owner = await t.create("/api/v1/namespaces/default/configmaps", { metadata: { name: t.unique("owner") } });
      await owned(t, owner, "a");
      await t.gone("secrets/a");
    },
  ],
  [
    "dependents of a custom object go with it",
    "docs: garbage collection, custom resources",
    async (t) => {
      await declareKind(t);
      const owner = await t.create("widgets", { metadata: { name: "owner" } });
      await owned(t, owner, "a", { controller: true });
      await t.delete("widgets/owner");
      await until(
        "the collector has learnt of the kind",
        async () => (await t.send("GET", "secrets/a")).status === 404,
        60_000,
      );
    },
    "slow",
  ],
]);
