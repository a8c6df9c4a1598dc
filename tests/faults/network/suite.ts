import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";
import { runNetworkFaults } from "./network-faults.ts";

/** Defines the suite: rounds of faults on the embedded server and on kube-apiserver. */
export async function defineNetworkFaults(rounds: number): Promise<void> {
  const timeout = rounds * 40_000;
  describe("a cache behind a faulty network", () => {
    test("holds exactly the server's state after every fault, on the embedded server", { timeout }, async () => {
      // A short history, so that every longer outage ends in a compacted revision.
      await check(await startEmbeddedServer({}, { historyMax: 20 }), { rounds, seed: 1 });
    });
  });
  await onRealCluster("a cache behind a faulty network, on kube-apiserver", (start) => {
    test("holds exactly the server's state after every fault, on kube-apiserver", { timeout }, async () => {
      await check(await start(), { rounds, seed: 2 });
    });
  });
}

async function check(server: TestServer, options: { readonly rounds: number; readonly seed: number }): Promise<void> {
  await using target = server;
  const report = await runNetworkFaults(target, options);
  process.stderr.write(`${JSON.stringify(report)}\n`);
  expect(report.violations).toEqual([]);
}
