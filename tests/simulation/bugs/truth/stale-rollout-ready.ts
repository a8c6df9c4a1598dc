import { Deployment, kind, s } from "@levelset/core";
import { child, ok, operator, step, wait, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, containerOf, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: VictoriaMetrics/operator#1152, openstack-k8s-operators/neutron-operator#335. Bug: the number of ready pods is
 * compared, but neither the observed generation nor the number of updated pods, so that the pods of the old spec make
 * the new one ready. Found by: truth, needs a change of the spec.
 */
const Single = kind({ group: GROUP, version: "v1", kind: "Single", spec: s.object({ image: s.string().min(1) }) });

const options = {
  kind: Deployment,
  desired: ({ name, spec }: { readonly name: string; readonly spec: { readonly image: string } }) => {
    const labels = { single: name };
    return {
      metadata: { name },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [containerOf(spec.image)] } },
      },
    };
  },
};

function buggy(): AnyOperator {
  const deployment = child(Single, "Deployment", options);
  const pods = step(Single, "Pods", {
    owns: [Deployment],
    do: (req) => {
      const ready = req.get(Deployment, beside(req, req.name))?.status?.readyReplicas ?? 0;
      return ready < 2 ? wait(`${ready} of 2 pods are ready`) : ok();
    },
  });
  return operator(Single, [deployment, pods]);
}

export const bug: SimulationBug = {
  name: "stale-rollout-ready",
  source: "https://github.com/VictoriaMetrics/operator/pull/1152",
  oracle: "truth",
  needs: "a change of the spec, and a look before the rollout ends",
  kind: Single,
  create: (cluster) => cluster.create(Single, { name: "a", spec: { image: "single:1" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: () => operator(Single, [workload(Single, "Deployment", options)]) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Single, "a", { spec: { image: "single:2" } });
    await harness.cluster.untilIdle();
    const deployment = await harness.cluster.get(Deployment, "a");
    return `${deployment?.status?.updatedReplicas ?? 0} of 2 updated, ready: ${await harness.isReady(Single)}`;
  },
  ends: { buggy: "1 of 2 updated, ready: true", fixed: "1 of 2 updated, ready: false" },
};
