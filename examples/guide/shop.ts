import { ConfigMap, isNotFound, kind, Node, Pod, s, Secret } from "@levelset/core";
import { manager, enqueueFromMap, ok, operator, reference, refTo, step, wait } from "@levelset/operator";
import type { Manager } from "@levelset/operator";
import { shares } from "./generic-step.ts";

export const Shop = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Shop",
  spec: s.object({ passwordSecret: s.string() }),
  status: s.object({ pages: s.int32().optional() }),
});

const pages = step(Shop, "Pages", {
  owns: [ConfigMap], // children: a change or deletion enqueues the owner
  reads: [reference(Shop, Secret, ({ spec }) => spec.passwordSecret)], // inputs by name: indexed and watched, never polled
  do: (req) => {
    const key = { namespace: req.namespace ?? "", name: req.spec.passwordSecret };
    if (req.get(Secret, key) === undefined) return wait("the secret does not exist yet", { on: [refTo(Secret, key)] });
    req.status.pages = req.owned(ConfigMap).length;
    return ok();
  },
});

const drain = step(Shop, "Drain", {
  rbac: [{ apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] }],
  cleanup: async ({ client, name, namespace = "", signal }) => {
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
    try {
      await client.post(Pod, { name, namespace }, "eviction", eviction, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error; // already deleted
    }
    return ok();
  },
});

export const shops = operator(Shop, [pages, drain], {
  watches: [
    enqueueFromMap(Shop, Node, (_node, ours) => [...ours].map(({ metadata }) => metadata), {
      project: ({ spec }) => spec,
    }),
  ],
});

export function shopManager(identity: string, debugToken: string): Manager {
  return manager([shops, shares], {
    leaderElection: { namespace: "shop", name: "shop-operators", identity },
    endpoints: { port: 8080, host: "127.0.0.1", debugToken },
    installCrds: true,
    graceMs: 5_000,
  });
}
