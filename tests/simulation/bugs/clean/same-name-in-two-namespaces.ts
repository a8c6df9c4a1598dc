import { ClusterRole, kind, Namespace, s } from "@levelset/core";
import { child, ok, operator, reference, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: Kuadrant/authorino-operator#348, VictoriaMetrics/operator#1662. Bug: the name of a cluster-scoped child has no
 * namespace in it. Objects with one name in two namespaces share it, and the deletion of one takes it from the other.
 * Found by: clean, needs two namespaces.
 */
const Gate = kind({ group: GROUP, version: "v1", kind: "Gate", spec: s.object({ verb: s.string().min(1) }) });

function rulesOf(verb: string) {
  return [{ apiGroups: [""], resources: ["configmaps"], verbs: [verb] }];
}

function buggy(): AnyOperator {
  const rule = { apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"], verbs: ["patch", "delete"] };
  const role = step(Gate, "Role", {
    reads: [reference(Gate, ClusterRole, ({ metadata }) => `gate-${metadata.name}`)],
    rbac: [{ scope: "Cluster", ...rule }],
    do: async (req) => {
      const metadata = { name: `gate-${req.name}` };
      if (req.get(ClusterRole, metadata)?.rules?.[0]?.verbs[0] === req.spec.verb) return ok();
      await req.client.apply(ClusterRole, { metadata, rules: rulesOf(req.spec.verb) }, { force: true });
      return ok();
    },
    cleanup: async (req) => {
      await ifFound(req.client.delete(ClusterRole, { name: `gate-${req.name}` }));
      return ok();
    },
  });
  return operator(Gate, [role]);
}

function fixed(): AnyOperator {
  const role = child(Gate, "Role", {
    kind: ClusterRole,
    owned: false,
    desired: ({ namespace, name, spec }) => ({
      metadata: { name: `gate-${namespace}-${name}` },
      rules: rulesOf(spec.verb),
    }),
  });
  return operator(Gate, [role]);
}

export const bug: SimulationBug = {
  name: "same-name-in-two-namespaces",
  source: "https://github.com/Kuadrant/authorino-operator/issues/348",
  oracle: "clean",
  needs: "objects with the same name in two namespaces, one of which is deleted",
  kind: Gate,
  create: (cluster) => cluster.create(Gate, { name: "a", spec: { verb: "get" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.cluster.create(Namespace, { name: "other" });
    await harness.cluster.create(Gate, { name: "a", namespace: "other", spec: { verb: "get" } });
    await harness.settle();
    const uids = async (): Promise<readonly (string | undefined)[]> => {
      const roles = await harness.cluster.list(ClusterRole);
      return roles.filter(({ metadata }) => metadata.name.startsWith("gate-")).map(({ metadata }) => metadata.uid);
    };
    const before = await uids();
    await harness.cluster.delete(Gate, "a");
    await harness.settle();
    const kept = (await uids()).filter((uid) => before.includes(uid));
    return `the role of the other object is ${kept.length === 1 ? "kept" : "deleted"}`;
  },
  ends: { buggy: "the role of the other object is deleted", fixed: "the role of the other object is kept" },
};
