export { matchers, toBeReady, toHaveCondition } from "./matchers.ts";
export type { ExpectedCondition, MatcherResult } from "./matchers.ts";
export type { Fields, MergePatch } from "./objects.ts";
export type { Running } from "./running.ts";
export { TestCluster, testCluster } from "./test-cluster.ts";
export type { TestClusterOptions } from "./test-cluster.ts";
