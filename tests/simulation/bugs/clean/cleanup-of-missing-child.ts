import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: kubernetes-sigs/cluster-api-provider-azure#563. Bug: the cleanup fails if
 * the child does not exist any more, so that the finalizer is never removed. Found by: clean, needs a child that is
 * deleted by hand, or a lost response to the deletion.
 */
const Network = kind({ group: GROUP, version: "v1", kind: "Network", spec: s.object({ cidr: s.string() }) });

function networks(remove: (deletion: Promise<void>) => Promise<unknown>): AnyOperator {
  const config = child(Network, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name: `${name}-network` }, data: { cidr: spec.cidr } }),
  });
  const release = step(Network, "Release", {
    rbac: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] }],
    cleanup: async (req) => {
      await remove(req.client.delete(ConfigMap, beside(req, `${req.name}-network`)));
      return ok();
    },
  });
  return operator(Network, [config, release]);
}

export const bug: SimulationBug = {
  name: "cleanup-of-missing-child",
  source: "https://github.com/kubernetes-sigs/cluster-api-provider-azure/issues/563",
  oracle: "clean",
  needs: "a child that is deleted before its owner, or a lost response to its deletion",
  kind: Network,
  create: (cluster) => cluster.create(Network, { name: "a", spec: { cidr: "10.0.0.0/8" } }),
  buggy: () => ({ start: () => networks((deletion) => deletion) }),
  fixed: () => ({ start: () => networks(ifFound) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.delete(Network, "a");
    await harness.cluster.delete(ConfigMap, "a-network");
    await harness.settle(3_600_000);
    const { finalizers = [] } = (await harness.cluster.get(Network, "a"))?.metadata ?? {};
    return `finalizers: ${finalizers.join(" ")}`;
  },
  // The cleanup deletes by name, also the ConfigMap of another client.
  accepts: ["foreign-touched", "path-changes-the-end"],
  ends: { buggy: "finalizers: bugs.levelset.dev/network", fixed: "finalizers: " },
};
