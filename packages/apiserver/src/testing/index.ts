/** A cluster for tests: no port, no sleep, a virtual clock. Begin with `test-cluster.ts`. */

export { matchers, toBeReady, toHaveCondition } from "./matchers.ts";
export type { ExpectedCondition, MatcherResult } from "./matchers.ts";
export type { ObjectFields, MergePatch } from "./test-client.ts";
export type { RunnableHandle } from "./runnable-handle.ts";
export { TestCluster, testCluster } from "./test-cluster.ts";
export type { TestClusterOptions } from "./test-cluster.ts";
