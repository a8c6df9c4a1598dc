import { playScenarios } from "../engine/scenario.ts";
import { onRealCluster } from "../support/real-cluster.ts";
import { SCENARIOS } from "./scenarios.ts";
import { operandTheatre } from "./theatre.ts";

// The tests say how Deployments are; everything else is kube-controller-manager's, the garbage collector above all.
const options = { controllerManager: true, withoutControllers: ["deployment-controller"] };

await onRealCluster("Operands on a real kube-apiserver", (start) => {
  const where = "55 · K: Operands on a real kube-apiserver with a real garbage collector";
  playScenarios(where, SCENARIOS, async () => operandTheatre(await start(options)));
});
