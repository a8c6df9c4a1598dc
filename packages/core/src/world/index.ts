/** What a program gets from outside: the way to a cluster, time, chance, a logger, the signal to stop. Begin with `world.ts`. */

export { CLUSTER_ORIGIN } from "./world.ts";
export type { Fetch, Runnable, World } from "./world.ts";
