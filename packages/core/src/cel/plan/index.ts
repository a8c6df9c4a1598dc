/** From a checked tree to closures that evaluate it within a budget. Begin with `planner.ts`. */

export { Frame } from "./frame.ts";
export type { CancelSignal } from "./frame.ts";
export { plan } from "./planner.ts";
export type { GlobalSlot, Plan } from "./planner.ts";
