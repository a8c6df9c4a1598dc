import { deepEqual } from "@levelset/core/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { CRD_CASES } from "./crd/crd-cases.ts";
import { crdCaseOutcomes, scenarioOutcomes } from "./crd/runner.ts";
import { RATCHETING_SCENARIOS } from "./crd/ratcheting.ts";
import { CRD_SCENARIOS } from "./crd/crd-scenarios.ts";
import { CRD_SCHEMA_CASES } from "./crd/schemas.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";

await onRealCluster("custom resources compared with kube-apiserver", (start) => {
  describe("custom resources compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      [real, ours] = [await rawClient(await start()), await embeddedRawClient()];
    });
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test("valid and invalid CRDs have the same results", async () => {
      const differences: object[] = [];
      for (const each of [...CRD_CASES, ...CRD_SCHEMA_CASES]) {
        const [expected, found] = await Promise.all([real, ours].map((server) => crdCaseOutcomes(server, each)));
        if (!deepEqual(expected, found)) differences.push({ case: each.name, expected, found });
      }
      expect(differences).toEqual([]);
    });

    test("custom resources have the same results while the CRD changes", async () => {
      const differences: object[] = [];
      await Promise.all(
        [...CRD_SCENARIOS, ...RATCHETING_SCENARIOS].map(async (each) => {
          const [expected, found] = await Promise.all([real, ours].map((server) => scenarioOutcomes(server, each)));
          if (!deepEqual(expected, found)) differences.push({ scenario: each.name, expected, found });
        }),
      );
      expect(differences).toEqual([]);
    });
  });
});
