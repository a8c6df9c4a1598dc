import { describeOnCluster } from "../../support/cluster/scenario.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { SCENARIOS } from "./scenarios.ts";
import { sharedOperandCluster } from "./shared-cluster.ts";

// The tests set the status of Deployments; kube-controller-manager does the rest, garbage collection above all.
const options = { controllerManager: true, withoutControllers: ["deployment-controller"] };

await onRealCluster("Operands on kube-apiserver", (start) => {
  const where = "Operands on kube-apiserver with its garbage collector";
  describeOnCluster(where, SCENARIOS, async () => sharedOperandCluster(await start(options)));
});
