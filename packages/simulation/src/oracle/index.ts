/** The checks of a simulation that need no code of the user. Begin with `converges.ts`. */

export { findLeftovers } from "./clean.ts";
export { compareEnds, countIncarnations, findReplaced, findTakenChildren, isHealthy } from "./converges.ts";
export type { Ends } from "./converges.ts";
export { findDefects } from "./defects.ts";
export { effortOf, findExcess } from "./effort.ts";
export type { Effort } from "./effort.ts";
export { ForeignObjects } from "./foreign-objects.ts";
export { findRepeatedCalls, JobRepetitions } from "./once.ts";
export { findUnrest, loopViolation } from "./quiet.ts";
export { RevertedWrites } from "./reverted-writes.ts";
export { findStaleReady } from "./stale-ready.ts";
export { WorkloadGate } from "./workload-gate.ts";
export type { RestWindow } from "./quiet.ts";
