import { kind, PersistentVolumeClaim, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import { staleLists } from "../harness.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: pravega/zookeeper-operator#312, datastax/cass-operator#412 (Sieve, stale state). Bug: the cleanup finds claims
 * by the name of the object. A process that sees the deletion of an earlier object with that name deletes the claim of
 * the current one. Found by: converges (the claim has another uid), needs a restart with a stale API server after the
 * object was recreated.
 */
const Ensemble = kind({
  group: GROUP,
  version: "v1",
  kind: "Ensemble",
  spec: s.object({ gigabytes: s.int32().min(1).max(1000).immutable() }),
});

const LABEL = "bugs.levelset.dev/ensemble";

/** `idOf` returns the value of the label by which the cleanup finds the claims of an object. */
function ensembles(idOf: (metadata: ObjectOf<typeof Ensemble>["metadata"]) => string): AnyOperator {
  const claim = child(Ensemble, "Claim", {
    kind: PersistentVolumeClaim,
    desired: ({ name, object, spec }) => ({
      metadata: { name: `data-${name}`, labels: { [LABEL]: idOf(object.metadata) } },
      spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: `${spec.gigabytes}Gi` } } },
    }),
  });
  const reclaim = step(Ensemble, "Reclaim", {
    rbac: [{ apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["deletecollection"] }],
    cleanup: async (req) => {
      const labels = `${LABEL}=${idOf(req.object.metadata)}`;
      await req.client.deleteCollection(PersistentVolumeClaim, { namespace: req.namespace ?? "", labels });
      return ok();
    },
  });
  return operator(Ensemble, [claim, reclaim]);
}

export const bug: SimulationBug = {
  name: "stale-deletion-removes-claim",
  source: "https://github.com/pravega/zookeeper-operator/issues/312",
  oracle: "converges",
  needs: "a restart with a stale API server, after the object was deleted and recreated",
  kind: Ensemble,
  create: (cluster) => cluster.create(Ensemble, { name: "a", spec: { gigabytes: 1 } }),
  buggy: () => ({ start: () => ensembles(({ name }) => name) }),
  fixed: () => ({ start: () => ensembles(({ uid }) => uid) }),
  expose: async (harness) => {
    const { cluster } = harness;
    harness.start();
    await bug.create(cluster);
    await harness.settle();
    await harness.stop();
    await cluster.delete(Ensemble, "a");
    const stale = await staleLists(cluster, Ensemble);
    harness.start();
    await harness.settle();
    await bug.create(cluster);
    await harness.settle();
    const before = await cluster.get(PersistentVolumeClaim, "data-a");
    cluster.faults.delayResponses(10_000);
    await harness.restart(stale);
    await harness.settle();
    const after = await cluster.get(PersistentVolumeClaim, "data-a");
    return after?.metadata.uid === before?.metadata.uid ? "the claim is kept" : "the claim is lost";
  },
  ends: { buggy: "the claim is lost", fixed: "the claim is kept" },
};
