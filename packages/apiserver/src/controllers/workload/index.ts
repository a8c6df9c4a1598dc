export { workloadControllers } from "./workloads.ts";
export type { WorkloadOptions } from "./workloads.ts";
export type { Stage, StageContext, StageEffect } from "./stage.ts";
