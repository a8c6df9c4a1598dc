/** Workloads that are simulated, by the rules of their real controllers. Begin with `workloads.ts`. */

export { workloadControllers } from "./workloads.ts";
export type { WorkloadOptions } from "./workloads.ts";
export type { Stage, StageContext, StageEffect } from "./stage.ts";
