import type { TestClusterOptions } from "@levelset/apiserver/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Cluster } from "./cluster.ts";
import { VirtualCluster } from "./virtual-cluster.ts";

/** Scenarios that must hold on any cluster, by title. */
export type Scenarios = Readonly<Record<string, (cluster: Cluster) => Promise<void>>>;

/** Opens a cluster for each scenario of a suite. */
export interface ClusterSource extends AsyncDisposable {
  readonly open: () => Promise<Cluster>;
}

/** Each scenario has its own cluster in memory. */
export function virtualClusters(options: TestClusterOptions = {}): ClusterSource {
  return { open: () => VirtualCluster.open(options), [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Defines a test for each scenario, each with its own cluster. */
export function describeOnClusters(
  where: string,
  scenarios: Scenarios,
  start: () => ClusterSource | Promise<ClusterSource>,
): void {
  describe(where, () => {
    let source: ClusterSource | undefined;
    beforeAll(async () => {
      source = await start();
    });
    afterAll(() => source?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(scenarios)) {
      test(sentence, async () => {
        if (source === undefined) throw new Error("the cluster did not start");
        await using cluster = await source.open();
        await check(cluster);
      });
    }
  });
}
