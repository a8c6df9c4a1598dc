export { CelStop, Frame } from "./frame.ts";
export type { CancelSignal, StopReason } from "./frame.ts";
export { plan } from "./planner.ts";
export type { GlobalSlot, Plan } from "./planner.ts";
