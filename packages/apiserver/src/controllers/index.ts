export { startControllers } from "./controllers.ts";
export type { ControllerOptions, ControllerWorld, RunningControllers } from "./controllers.ts";
export type { Stage, StageContext, StageEffect, WorkloadOptions } from "./workload/index.ts";
export { nextTurn } from "./turn.ts";
