import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";
import { CORE, CONTROLLER_SCENARIOS } from "./controllers/controller-scenarios.ts";
import { items, post, untilEqual, untilStable } from "./controllers/server.ts";
import { rawClient } from "./raw-clients.ts";
import type { RawClient } from "./raw-clients.ts";

await onRealCluster("controllers compared with a real cluster", (start) => {
  describe("controllers compared with a real cluster", () => {
    let ours: RawClient;
    let real: RawClient;

    beforeAll(async () => {
      // No nodes, like the real control plane, so that pods do not run.
      ours = await rawClient(await startEmbeddedServer({ serviceAccounts: true, workloads: { nodes: 0 } }));
      real = await rawClient(await start({ controllerManager: true }));
    });

    afterAll(async () => {
      await ours[Symbol.asyncDispose]();
      await real[Symbol.asyncDispose]();
    });

    test.concurrent.for(
      CONTROLLER_SCENARIOS.map((scenario, index) => [scenario.name, scenario, `scenario-${index}`] as const),
    )("%s", async ([, scenario, namespace]) => {
      for (const requested of [ours, real]) {
        await post(requested, CORE, { metadata: { name: namespace } });
        await untilStable(async () => (await items(requested, `${CORE}/${namespace}/serviceaccounts`)).length);
      }
      for (const [step, act] of scenario.steps.entries()) {
        for (const requested of [ours, real]) await act(requested, namespace);
        const seen = await untilEqual(
          () => scenario.observe(ours, namespace),
          () => scenario.observe(real, namespace),
          async () => scenario.touch?.(real, namespace),
        );
        expect({ step, ours: seen.ours }).toEqual({ step, ours: seen.real });
      }
    });
  });
});
