import { afterAll, beforeAll, describe, test } from "vitest";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";

/** Cases that share a server, a namespace and the processes that `prepare` starts, in order. */
export function describeContract(
  title: string,
  cases: Readonly<Record<string, (cluster: Cluster, server: TestServer) => Promise<void>>>,
  start: () => Promise<TestServer>,
  prepare: (cluster: Cluster) => Promise<void>,
): void {
  describe(title, () => {
    let opened: { readonly cluster: Cluster; readonly server: TestServer } | undefined;
    beforeAll(async () => {
      const server = await start();
      opened = { server, cluster: await ServerCluster.connect(server) };
      await prepare(opened.cluster);
    });
    afterAll(async () => {
      await opened?.cluster[Symbol.asyncDispose]();
      await opened?.server[Symbol.asyncDispose]();
    });

    for (const [sentence, check] of Object.entries(cases)) {
      test(sentence, async () => {
        if (opened === undefined) throw new Error("the cluster did not start");
        await check(opened.cluster, opened.server);
      });
    }
  });
}
