import { describeOnClusters } from "../../support/cluster/scenario.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { SCENARIOS } from "./scenarios.ts";
import { operandClusters } from "./operand-clusters.ts";

// The tests set the status of Deployments and Jobs; kube-controller-manager does the rest, garbage collection above all.
const options = { controllerManager: true, withoutControllers: ["deployment-controller", "job-controller"] };

await onRealCluster("Operands on kube-apiserver", (start) => {
  const where = "Operands on kube-apiserver with its garbage collector";
  describeOnClusters(where, SCENARIOS, async () => operandClusters(await start(options)));
});
