/** Simulated workloads with the rules of kube-controller-manager. Begin with `workloads.ts`. */

export { workloadControllers } from "./workloads.ts";
export type { WorkloadSimulationOptions } from "./workloads.ts";
export type { Stage, StageContext, StageEffect } from "./pod/stage.ts";
