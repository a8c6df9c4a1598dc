/** Built-in controllers: garbage collection, namespaces, CRDs and simulated workloads. Begin with `controllers.ts`. */

export { startControllers } from "./controllers.ts";
export type { BuiltinControllerOptions, ControllerContext, ControllerManager } from "./controllers.ts";
export type { Stage, StageContext, StageEffect, WorkloadSimulationOptions } from "./workload/index.ts";
export type { GarbageCollectionOptions } from "./garbage-collector.ts";
export { yieldToEventLoop } from "./yield-to-event-loop.ts";
