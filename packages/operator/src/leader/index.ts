/** Leader election by a Lease, with a fence that stops writes of former leaders. Begin with `leader-elector.ts`. */

export { DEFAULT_ELECTION_TIMES, LeaderElector } from "./leader-elector.ts";
export type { ElectionTimes, LeaderElectorOptions } from "./leader-elector.ts";
export { Fence } from "./fence.ts";
