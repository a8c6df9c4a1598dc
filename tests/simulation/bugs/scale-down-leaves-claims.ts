import { kind, PersistentVolumeClaim, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import type { AnyOperator } from "./program.ts";
import { beside, GROUP, ifFound } from "./raw.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/**
 * Source: pravega/zookeeper-operator#94. Bug: both a scale-down and the cleanup know only the claims of the current
 * number of replicas, so that those of earlier, larger numbers stay. Found by: clean, needs a scale-down before the
 * deletion.
 */
const Ring = kind({
  group: GROUP,
  version: "v1",
  kind: "Ring",
  spec: s.object({ replicas: s.int32().min(0).max(8) }),
});

const LABEL = "bugs.levelset.dev/ring";

/** `others` deletes the claims that are not of the first `count` replicas. */
function rings(others: (req: Req<typeof Ring, never>, count: number) => Promise<void>): AnyOperator {
  const claims = step(Ring, "Claims", {
    rbac: [{ apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "list", "create", "delete"] }],
    do: async (req) => {
      for (let n = 0; n < req.spec.replicas; n++) {
        const key = beside(req, `data-${req.name}-${n}`);
        if ((await ifFound(req.client.get(PersistentVolumeClaim, key))) !== undefined) continue;
        await req.client.create(PersistentVolumeClaim, {
          metadata: { ...key, labels: { [LABEL]: req.object.metadata.uid } },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        });
      }
      await others(req, req.spec.replicas);
      return ok();
    },
    cleanup: async (req) => {
      for (let n = 0; n < req.spec.replicas; n++) {
        await ifFound(req.client.delete(PersistentVolumeClaim, beside(req, `data-${req.name}-${n}`)));
      }
      await others(req, 0);
      return ok();
    },
  });
  return operator(Ring, [claims]);
}

async function deleteOthers(req: Req<typeof Ring, never>, count: number): Promise<void> {
  const labels = `${LABEL}=${req.object.metadata.uid}`;
  const { items } = await req.client.list(PersistentVolumeClaim, { namespace: req.namespace ?? "", labels });
  const wanted = new Set(Array.from({ length: count }, (_, n) => `data-${req.name}-${n}`));
  for (const { metadata } of items) {
    if (wanted.has(metadata.name)) continue;
    await ifFound(req.client.delete(PersistentVolumeClaim, beside(req, metadata.name), { uid: metadata.uid }));
  }
}

export const bug: SimulationBug = {
  name: "scale-down-leaves-claims",
  source: "https://github.com/pravega/zookeeper-operator/issues/94",
  oracle: "clean",
  needs: "a scale-down before the deletion",
  kind: Ring,
  create: (cluster) => cluster.create(Ring, { name: "a", spec: { replicas: 3 } }),
  buggy: () => ({ start: () => rings(async () => {}) }),
  fixed: () => ({ start: () => rings(deleteOthers) }),
  expose: async (scene) => {
    scene.start();
    await bug.create(scene.cluster);
    await scene.settle();
    await scene.cluster.patch(Ring, "a", { spec: { replicas: 1 } });
    await scene.settle();
    await scene.cluster.delete(Ring, "a");
    await scene.settle();
    return `left: ${await scene.names(PersistentVolumeClaim)}`;
  },
  ends: { buggy: "left: data-a-1 data-a-2", fixed: "left: " },
};
