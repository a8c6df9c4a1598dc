export { Frame } from "./frame.ts";
export type { CancelSignal } from "./frame.ts";
export { plan } from "./planner.ts";
export type { GlobalSlot, Plan } from "./planner.ts";
