import { describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { embeddedTarget } from "../support/target.ts";
import { torture } from "./torture.ts";

/** `npm run soak` lasts as long as it takes to believe; the suite as long as it may. */
const SECONDS = Number(process.env["LEVELSET_TORTURE_SECONDS"] ?? "20");
const TIMEOUT_MS = SECONDS * 1_000 + 120_000;

describe("a cache behind a bad network", () => {
  test(
    "comes to hold exactly the truth after every fault, on the embedded server",
    { timeout: TIMEOUT_MS },
    async () => {
      // So little history that every longer cut ends in a compacted revision.
      await using target = await embeddedTarget({}, { historyMax: 20 });
      const report = await torture(target, { seconds: SECONDS, seed: 1 });
      process.stderr.write(`${JSON.stringify(report)}\n`);
      expect(report.violations).toEqual([]);
      expect(report.rounds).toBeGreaterThan(SECONDS / 10);
    },
  );
});

await onRealCluster("a cache behind a bad network, on a real server", (start) => {
  test("comes to hold exactly the truth after every fault, on a real server", { timeout: TIMEOUT_MS }, async () => {
    await using target = await start();
    const report = await torture(target, { seconds: SECONDS, seed: 2 });
    process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(report.violations).toEqual([]);
    expect(report.rounds).toBeGreaterThan(SECONDS / 10);
  });
});
