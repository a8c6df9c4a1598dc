import { describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { startEmbeddedServer } from "../support/test-server.ts";
import { runNetworkFaults } from "./network-faults.ts";

/** `npm run soak` runs longer than the suite. */
const SECONDS = Number(process.env["LEVELSET_TORTURE_SECONDS"] ?? "20");
const TIMEOUT_MS = SECONDS * 1_000 + 120_000;

describe("a cache behind a faulty network", () => {
  test(
    "holds exactly the server's state after every fault, on the embedded server",
    { timeout: TIMEOUT_MS },
    async () => {
      // A short history, so that every longer outage ends in a compacted revision.
      await using target = await startEmbeddedServer({}, { historyMax: 20 });
      const report = await runNetworkFaults(target, { seconds: SECONDS, seed: 1 });
      process.stderr.write(`${JSON.stringify(report)}\n`);
      expect(report.violations).toEqual([]);
      expect(report.rounds).toBeGreaterThan(SECONDS / 10);
    },
  );
});

await onRealCluster("a cache behind a faulty network, on kube-apiserver", (start) => {
  test("holds exactly the server's state after every fault, on kube-apiserver", { timeout: TIMEOUT_MS }, async () => {
    await using target = await start();
    const report = await runNetworkFaults(target, { seconds: SECONDS, seed: 2 });
    process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(report.violations).toEqual([]);
    expect(report.rounds).toBeGreaterThan(SECONDS / 10);
  });
});
