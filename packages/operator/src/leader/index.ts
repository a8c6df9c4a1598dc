/** One of many processes leads, by a Lease, and nothing is written by one that no longer does. Begin with `elector.ts`. */

export { ELECTION_TIMES, Elector } from "./elector.ts";
export type { ElectionTimes, ElectorOptions } from "./elector.ts";
export { Fence } from "./fence.ts";
