/** What happens behind the server by itself: garbage, namespaces, CRDs, workloads. Begin with `controllers.ts`. */

export { startControllers } from "./controllers.ts";
export type { ControllerOptions, ControllerWorld, RunningControllers } from "./controllers.ts";
export type { Stage, StageContext, StageEffect, WorkloadOptions } from "./workload/index.ts";
export { nextTurn } from "./turn.ts";
