import { deepEqual } from "@levelset/core/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { RBAC_CASES } from "./builtin/rbac.ts";
import { ADMISSION } from "./builtin/admission.ts";
import { BATCH } from "./builtin/batch.ts";
import { CORE } from "./builtin/core.ts";
import { NETWORK } from "./builtin/network.ts";
import { PODS } from "./builtin/pods.ts";
import { POLICIES } from "./builtin/policies.ts";
import { outcomesOf, prepare } from "./builtin/runner.ts";
import type { Case } from "./builtin/runner.ts";
import { SERVICES } from "./builtin/services.ts";
import { STORAGE } from "./builtin/storage.ts";
import { WORKLOADS } from "./builtin/workloads.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";

/** Cases by group. A new file of cases needs a new line here. */
const CORPORA: Readonly<Record<string, readonly Case[]>> = {
  pods: PODS,
  workloads: WORKLOADS,
  "jobs and cron jobs": BATCH,
  "the core group": CORE,
  services: SERVICES,
  "roles, leases and priorities": RBAC_CASES,
  "ingresses, network policies and slices": NETWORK,
  "budgets, autoscalers and events": POLICIES,
  "storage classes, drivers and attachments": STORAGE,
  "webhooks and admission policies": ADMISSION,
};

await onRealCluster("rules of built-in kinds compared with kube-apiserver", (start) => {
  describe("rules of built-in kinds compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      [real, ours] = [await rawClient(await start()), await embeddedRawClient()];
      await Promise.all([real, ours].map(prepare));
    });
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test.each(Object.entries(CORPORA))(
      "%s have the same results",
      async (_group, cases) => {
        const differences: object[] = [];
        for (const each of cases) {
          const [expected, found] = await Promise.all([outcomesOf(real, each), outcomesOf(ours, each)]);
          if (!deepEqual(expected, found)) differences.push({ case: each.name, expected, found });
        }
        expect(differences).toEqual([]);
      },
      60_000,
    );
  });
});
