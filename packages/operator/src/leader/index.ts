export { ELECTION_TIMES, Elector } from "./elector.ts";
export type { ElectionTimes, ElectorOptions } from "./elector.ts";
export { Fence } from "./fence.ts";
