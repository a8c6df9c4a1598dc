import { ConfigMap, kind, s, Secret } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: rook/rook#14688. Bug: the right for a request that is sent only if a feature is switched off is not declared,
 * so that a cluster with RBAC refuses it. Found by: defects, needs the feature to be switched off.
 */
const Driver = kind({
  group: GROUP,
  version: "v1",
  kind: "Driver",
  spec: s.object({ enabled: s.boolean().default(true) }),
});

const LABEL = "bugs.levelset.dev/driver-uid";

function drivers(rbac: readonly PolicyRule[]): AnyOperator {
  const config = child(Driver, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name }, data: { enabled: `${spec.enabled}` } }),
  });
  const connections = step(Driver, "Connections", {
    rbac,
    do: async (req) => {
      if (req.spec.enabled) return ok();
      const labels = `${LABEL}=${req.object.metadata.uid}`;
      await req.client.deleteCollection(Secret, { namespace: req.namespace ?? "", labels });
      return ok();
    },
  });
  return operator(Driver, [config, connections]);
}

export const bug: SimulationBug = {
  name: "undeclared-right",
  source: "https://github.com/rook/rook/issues/14688",
  oracle: "defects",
  needs: "the value of a field that leads to a request which is not sent otherwise",
  kind: Driver,
  create: (cluster) => cluster.create(Driver, { name: "a", spec: { enabled: true } }),
  buggy: () => ({ start: () => drivers([]) }),
  fixed: () => ({
    start: () => drivers([{ apiGroups: [""], resources: ["secrets"], verbs: ["deletecollection"] }]),
  }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Driver, "a", { spec: { enabled: false } });
    await harness.settle();
    return `undeclared: ${harness.undeclared().join(" ")}`;
  },
  ends: { buggy: "undeclared: deletecollection secrets", fixed: "undeclared: " },
};
