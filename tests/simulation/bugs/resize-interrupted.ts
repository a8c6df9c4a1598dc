import { controllerReference, kind, PersistentVolumeClaim, s, StatefulSet } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import type { AnyOperator } from "./program.ts";
import { beside, GROUP } from "./raw.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/**
 * Source: rabbitmq/cluster-operator#782 (Sieve, intermediate state). Bug: the resize is detected by the size that the
 * StatefulSet records, and the StatefulSet is deleted before the claim is resized. After a crash in between, the new
 * StatefulSet records the new size, and the claim keeps the old one. Found by: converges, needs a crash after the
 * deletion.
 */
const Queue = kind({
  group: GROUP,
  version: "v1",
  kind: "Queue",
  spec: s.object({ storage: s.string().pattern("^[1-9][0-9]*Gi$") }),
});

const SIZE = "bugs.levelset.dev/size";

function resources(storage: string) {
  return { requests: { storage } };
}

async function createServer(req: Req<typeof Queue>): Promise<void> {
  const labels = { queue: req.name };
  await req.client.create(StatefulSet, {
    metadata: {
      ...beside(req, req.name),
      annotations: { [SIZE]: req.spec.storage },
      ownerReferences: [controllerReference(req.object)],
    },
    spec: {
      serviceName: req.name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "queue:1" }] } },
    },
  });
}

function queues(recordedSize: (req: Req<typeof Queue>) => string | undefined): AnyOperator {
  const storage = step(Queue, "Storage", {
    owns: [PersistentVolumeClaim, StatefulSet],
    do: async (req) => {
      const claim = beside(req, `data-${req.name}`);
      if (req.owned(PersistentVolumeClaim).length === 0) {
        await req.client.create(PersistentVolumeClaim, {
          metadata: { ...claim, ownerReferences: [controllerReference(req.object)] },
          spec: { accessModes: ["ReadWriteOnce"], resources: resources(req.spec.storage) },
        });
      }
      const recorded = recordedSize(req);
      if (recorded !== undefined && recorded !== req.spec.storage) {
        for (const { metadata } of req.owned(StatefulSet)) {
          await req.client.delete(StatefulSet, beside(req, metadata.name), { propagationPolicy: "Orphan" });
        }
        await req.client.mergePatch(PersistentVolumeClaim, claim, { spec: { resources: resources(req.spec.storage) } });
      }
      if (req.owned(StatefulSet).length === 0) await createServer(req);
      return ok();
    },
  });
  return operator(Queue, [storage]);
}

export const bug: SimulationBug = {
  name: "resize-interrupted",
  source: "https://github.com/rabbitmq/cluster-operator/issues/782",
  oracle: "converges",
  needs: "a crash after the StatefulSet is deleted, while the size changes",
  kind: Queue,
  create: (cluster) => cluster.create(Queue, { name: "a", spec: { storage: "10Gi" } }),
  buggy: () => ({ start: () => queues((req) => req.owned(StatefulSet)[0]?.metadata.annotations?.[SIZE]) }),
  fixed: () => ({
    start: () =>
      queues((req) => req.owned(PersistentVolumeClaim)[0]?.spec?.resources?.requests?.["storage"]?.toString()),
  }),
  expose: async (scene) => {
    const { cluster } = scene;
    scene.start();
    await bug.create(cluster);
    await scene.settle();
    scene.crashAt(({ method, path }) => method === "DELETE" && path.includes("/statefulsets/"));
    await cluster.patch(Queue, "a", { spec: { storage: "15Gi" } });
    await scene.settle();
    await scene.restart();
    await scene.settle();
    const claim = await cluster.get(PersistentVolumeClaim, "data-a");
    return `claim of ${String(claim?.spec?.resources?.requests?.["storage"])}`;
  },
  ends: { buggy: "claim of 10Gi", fixed: "claim of 15Gi" },
};
