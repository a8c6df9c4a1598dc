import { Deployment, kind, Pod, s } from "@levelset/core";
import { child, ok, operator, step, wait, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, containerOf, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: openebs/openebs#2945. Bug: the status records that a generation has been ready once, and the pods are not
 * looked at again, so that the object stays ready when its pods are gone. Found by: truth, needs pods that are lost after
 * the object is ready.
 */
const Volume = kind({
  group: GROUP,
  version: "v1",
  kind: "Volume",
  spec: s.object({ image: s.string().min(1) }),
  status: s.object({ provisionedGeneration: s.int64().optional() }),
});

const options = {
  kind: Deployment,
  desired: ({ name, spec }: { readonly name: string; readonly spec: { readonly image: string } }) => {
    const labels = { volume: name };
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
  const deployment = child(Volume, "Deployment", options);
  const provision = step(Volume, "Provision", {
    owns: [Deployment],
    preserveStatus: ["provisionedGeneration"],
    do: (req) => {
      const { generation } = req.object.metadata;
      if (req.status.provisionedGeneration === generation) return ok();
      const { metadata, status = {} } = req.get(Deployment, beside(req, req.name)) ?? {};
      const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
      const isRolledOut = updatedReplicas === 2 && availableReplicas === 2 && replicas === 2;
      if (!isRolledOut || observedGeneration !== metadata?.generation) return wait("the pods are starting");
      req.status.provisionedGeneration = generation;
      return ok();
    },
  });
  return operator(Volume, [deployment, provision]);
}

export const bug: SimulationBug = {
  name: "ready-forever",
  source: "https://github.com/openebs/openebs/issues/2945",
  oracle: "truth",
  needs: "pods that are lost after the object is ready",
  kind: Volume,
  create: (cluster) => cluster.create(Volume, { name: "a", spec: { image: "volume:1" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: () => operator(Volume, [workload(Volume, "Deployment", options)]) }),
  expose: async (harness) => {
    const { cluster } = harness;
    harness.start();
    await bug.create(cluster);
    await harness.settle();
    for (const { metadata } of await cluster.list(Pod)) await cluster.delete(Pod, metadata.name);
    await harness.settle(150);
    const available = (await cluster.get(Deployment, "a"))?.status?.availableReplicas ?? 0;
    return `${available} of 2 available, ready: ${await harness.isReady(Volume)}`;
  },
  ends: { buggy: "0 of 2 available, ready: true", fixed: "0 of 2 available, ready: false" },
};
