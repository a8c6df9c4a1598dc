import { onRealCluster } from "../support/real-cluster.ts";
import { JOBS } from "./jobs.ts";
import { realPlace } from "./place.ts";
import { PROTECTION } from "./protection.ts";
import { playScenarios } from "./scenario.ts";
import type { Scenarios } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STATUSES, WORKLOADS } from "./workloads.ts";

await onRealCluster("scenarios on a real kube-apiserver", (start) => {
  const playOn = (where: string, scenarios: Scenarios, controllerManager: boolean): void =>
    playScenarios(where, scenarios, async () => {
      const target = await start({ controllerManager });
      return { open: () => realPlace(target), [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() };
    });
  playOn(
    "scenarios on a real kube-apiserver and kube-controller-manager",
    { ...SCENARIOS, ...WORKLOADS, ...JOBS, ...PROTECTION },
    true,
  );
  playOn("scenarios on a real kube-apiserver alone", STATUSES, false);
});
