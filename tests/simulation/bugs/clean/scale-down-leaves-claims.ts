import { kind, PersistentVolumeClaim, s } from "@levelset/core";
import { child, ok, operator, referenceByLabels, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, ifFound } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: pravega/zookeeper-operator#94. Bug: both a scale-down and the cleanup know only the claims of the current
 * number of replicas, so that those of earlier, larger numbers stay. Found by: clean, needs a scale-down before the
 * deletion.
 */
const Ring = kind({
  group: GROUP,
  version: "v1",
  kind: "Ring",
  spec: s.object({ replicas: s.int32().min(0).max(3) }),
});

const LABEL = "bugs.levelset.dev/ring";
const MAX = 3;

const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;

function buggy(): AnyOperator {
  const claims = step(Ring, "Claims", {
    reads: [referenceByLabels(Ring, PersistentVolumeClaim, ({ metadata }) => ({ [LABEL]: metadata.uid }))],
    rbac: [{ apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["patch", "delete"] }],
    do: async (req) => {
      const labels = { [LABEL]: req.object.metadata.uid };
      const present = new Set(req.select(PersistentVolumeClaim, labels).map(({ metadata }) => metadata.name));
      for (let n = 0; n < req.spec.replicas; n++) {
        const key = beside(req, `data-${req.name}-${n}`);
        if (present.has(key.name)) continue;
        await req.client.apply(PersistentVolumeClaim, { metadata: { ...key, labels }, spec }, { force: true });
      }
      return ok();
    },
    cleanup: async (req) => {
      for (let n = 0; n < req.spec.replicas; n++) {
        await ifFound(req.client.delete(PersistentVolumeClaim, beside(req, `data-${req.name}-${n}`)));
      }
      return ok();
    },
  });
  return operator(Ring, [claims]);
}

function fixed(): AnyOperator {
  const claims = Array.from({ length: MAX }, (_, n) =>
    child(Ring, `Claim${n}`, {
      kind: PersistentVolumeClaim,
      desired: (req) => (n < req.spec.replicas ? { metadata: { name: `data-${req.name}-${n}` }, spec } : undefined),
    }),
  );
  return operator(Ring, claims);
}

export const bug: SimulationBug = {
  name: "scale-down-leaves-claims",
  source: "https://github.com/pravega/zookeeper-operator/issues/94",
  oracle: "clean",
  needs: "a scale-down before the deletion",
  kind: Ring,
  create: (cluster) => cluster.create(Ring, { name: "a", spec: { replicas: 3 } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Ring, "a", { spec: { replicas: 1 } });
    await harness.settle();
    await harness.cluster.delete(Ring, "a");
    await harness.settle();
    return `left: ${await harness.names(PersistentVolumeClaim)}`;
  },
  ends: { buggy: "left: data-a-1 data-a-2", fixed: "left: " },
};
