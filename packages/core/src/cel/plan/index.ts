/** Compiles a checked tree to closures that are evaluated within a cost limit. Begin with `planner.ts`. */

export { ExecutionFrame } from "./frame.ts";
export type { CancelSignal } from "./frame.ts";
export { planProgram } from "./planner.ts";
export type { GlobalSlot, CelPlan } from "./planner.ts";
