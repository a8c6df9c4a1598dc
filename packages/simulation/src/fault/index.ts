/** Faults of processes, connections and servers. Begin with `planned-fault.ts`. */

export { drawFaults } from "./draw-faults.ts";
export type { FaultSites } from "./draw-faults.ts";
export type { FaultEffect, FaultKind, PlannedFault, RequestFault, RequestTarget, WatchFault } from "./planned-fault.ts";
