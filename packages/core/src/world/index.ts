export { CLUSTER_ORIGIN } from "./world.ts";
export type { Fetch, Runnable, World } from "./world.ts";
