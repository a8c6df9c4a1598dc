/** Dependencies of a program: connection, clock, random numbers, logger, stop signal. Begin with `world.ts`. */

export { CLUSTER_ORIGIN } from "./world.ts";
export type { Fetch, Runnable, World } from "./world.ts";
