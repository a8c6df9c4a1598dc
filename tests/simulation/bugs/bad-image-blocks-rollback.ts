import { controllerReference, Deployment, kind, s } from "@levelset/core";
import { ok, operator, step, wait, workload } from "@levelset/operator";
import type { AnyOperator } from "./program.ts";
import { beside, GROUP } from "./raw.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/**
 * Source: scylladb/scylla-operator#2459, pravega/zookeeper-operator#547 (Acto, misoperation). Bug: a rollout in progress
 * has to end before the next one is applied, so that a rollout which cannot end blocks its own correction. Found by:
 * converges, needs an image that cannot be pulled, and the return to the earlier one.
 */
const Store = kind({ group: GROUP, version: "v1", kind: "ImageStore", spec: s.object({ image: s.string().min(1) }) });

function manifest(name: string, image: string) {
  const labels = { store: name };
  return {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image }] } },
  };
}

function buggy(): AnyOperator {
  const rollout = step(Store, "Rollout", {
    owns: [Deployment],
    do: async (req) => {
      const key = beside(req, req.name);
      const current = req.get(Deployment, key);
      const spec = manifest(req.name, req.spec.image);
      if (current === undefined) {
        const ownerReferences = [controllerReference(req.object)];
        await req.client.create(Deployment, { metadata: { ...key, ownerReferences }, spec });
        return wait("the deployment is created");
      }
      const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = current.status ?? {};
      const isCurrent = observedGeneration === current.metadata.generation;
      if (!isCurrent || updatedReplicas < 2 || availableReplicas < 2 || replicas > 2)
        return wait("a rollout is in progress");
      if (current.spec?.template.spec?.containers[0]?.image === req.spec.image) return ok();
      await req.client.mergePatch(Deployment, key, { spec });
      return wait("a rollout has started");
    },
  });
  return operator(Store, [rollout]);
}

function fixed(): AnyOperator {
  const rollout = workload(Store, "Rollout", {
    kind: Deployment,
    desired: ({ name, spec }) => ({ metadata: { name }, spec: manifest(name, spec.image) }),
  });
  return operator(Store, [rollout]);
}

export const bug: SimulationBug = {
  name: "bad-image-blocks-rollback",
  source: "https://github.com/scylladb/scylla-operator/issues/2459",
  oracle: "converges",
  needs: "a rollout that cannot end, and the return to the earlier spec (A, B, A)",
  kind: Store,
  create: (cluster) => cluster.create(Store, { name: "a", spec: { image: "store:1" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (scene) => {
    scene.start();
    await bug.create(scene.cluster);
    await scene.settle();
    for (const image of ["store:does-not-exist", "store:1"]) {
      await scene.cluster.patch(Store, "a", { spec: { image } });
      await scene.settle();
    }
    return `ready: ${await scene.isReady(Store)}`;
  },
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
