import { ConfigMap, kind, s } from "@levelset/core";
import { child, operator } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: emqx/emqx-operator#435, k8snetworkplumbingwg/sriov-network-operator#127 (Acto: values that the schema allows).
 * Bug: the step assumes a first item, and throws a TypeError for an empty list. Found by: defects, needs an empty list.
 */
const Balancer = kind({
  group: GROUP,
  version: "v1",
  kind: "Balancer",
  spec: s.object({ ports: s.array(s.int32().min(1).max(65_535)).set().max(8) }),
  status: s.object({ highest: s.int32().optional() }),
});

function balancers(highest: (ports: readonly number[]) => number | undefined): AnyOperator {
  const config = child(Balancer, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({
      metadata: { name },
      data: { ports: spec.ports.join(",") },
    }),
    status: (req) => {
      req.status.highest = highest(req.spec.ports);
    },
  });
  return operator(Balancer, [config]);
}

export const bug: SimulationBug = {
  name: "empty-list-throws",
  source: "https://github.com/emqx/emqx-operator/issues/435",
  oracle: "defects",
  needs: "an empty list",
  kind: Balancer,
  create: (cluster) => cluster.create(Balancer, { name: "a", spec: { ports: [80, 443] } }),
  buggy: () => ({ start: () => balancers((ports) => ports.reduce((a, b) => Math.max(a, b))) }),
  fixed: () => ({ start: () => balancers((ports) => ports.toSorted((a, b) => b - a)[0]) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Balancer, "a", { spec: { ports: [] } });
    await harness.settle();
    return `ready: ${await harness.isReady(Balancer)}, defects: ${harness.defects === "" ? "none" : "logged"}`;
  },
  ends: { buggy: "ready: false, defects: logged", fixed: "ready: true, defects: none" },
};
