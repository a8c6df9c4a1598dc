import { describeOnClusters } from "../../support/cluster/scenario.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { IMMUTABLE, IMMUTABLE_OF_OTHER_KINDS } from "./immutable-fields.ts";
import { operandClusters } from "./operand-clusters.ts";

await onRealCluster("Immutable fields on kube-apiserver", (start) => {
  // The controllers remove the finalizers of volumes and claims.
  describeOnClusters("Immutable fields on kube-apiserver", { ...IMMUTABLE, ...IMMUTABLE_OF_OTHER_KINDS }, async () =>
    operandClusters(await start({ controllerManager: true })),
  );
});
