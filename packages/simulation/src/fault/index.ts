/** Faults of processes, connections and servers. Begin with `planned-fault.ts`. */

export { drawFaults, drawnFaultNames } from "./draw-faults.ts";
export { faultName } from "./fault-name.ts";
export type { FaultSites } from "./draw-faults.ts";
export type { FaultEffect, PlannedFault, RequestFault, RequestTarget, WatchFault } from "./planned-fault.ts";
