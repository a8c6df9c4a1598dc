import { Deployment, kind, s } from "@levelset/core";
import { ok, operator, step, wait, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, containerOf, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: scylladb/scylla-operator#2459, pravega/zookeeper-operator#547 (Acto, misoperation). Bug: a rollout in progress
 * has to end before the next one is applied, so that a rollout which cannot end blocks its own correction. Found by:
 * converges, needs an image that cannot be pulled, and the return to the earlier one.
 */
const Store = kind({ group: GROUP, version: "v1", kind: "ImageStore", spec: s.object({ image: s.string().min(1) }) });

const rollout = workload(Store, "Rollout", {
  kind: Deployment,
  desired: ({ name, spec }) => {
    const labels = { store: name };
    return {
      metadata: { name },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [containerOf(spec.image)] } },
      },
    };
  },
});

function buggy(): AnyOperator {
  const oneAtATime = step(Store, "OneAtATime", {
    owns: [Deployment],
    do: (req) => {
      const { metadata, status = {} } = req.get(Deployment, beside(req, req.name)) ?? {};
      const { observedGeneration, updatedReplicas = 0, availableReplicas = 0 } = status;
      const isRolledOut = observedGeneration === metadata?.generation && updatedReplicas + availableReplicas === 4;
      return metadata === undefined || isRolledOut ? ok() : wait("a rollout is in progress");
    },
  });
  return operator(Store, [oneAtATime, rollout]);
}

export const bug: SimulationBug = {
  name: "bad-image-blocks-rollback",
  source: "https://github.com/scylladb/scylla-operator/issues/2459",
  oracle: "converges",
  needs: "a rollout that cannot end, and the return to the earlier spec (A, B, A)",
  kind: Store,
  create: (cluster) => cluster.create(Store, { name: "a", spec: { image: "store:1" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: () => operator(Store, [rollout]) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    for (const image of ["store:does-not-exist", "store:1"]) {
      await harness.cluster.patch(Store, "a", { spec: { image } });
      await harness.settle();
    }
    return `ready: ${await harness.isReady(Store)}`;
  },
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
