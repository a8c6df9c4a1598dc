import { onRealCluster } from "../../support/real-cluster.ts";
import { JOBS } from "./jobs.ts";
import { realEnvironment } from "../../support/cluster/environments.ts";
import { PROTECTION } from "./protection.ts";
import { describeOnCluster } from "../../support/cluster/scenario.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STATUSES, WORKLOADS } from "./workloads.ts";

await onRealCluster("scenarios on kube-apiserver", (start) => {
  const playOn = (where: string, scenarios: Scenarios, controllerManager: boolean): void =>
    describeOnCluster(where, scenarios, async () => {
      const target = await start({ controllerManager });
      return { open: () => realEnvironment(target), [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() };
    });
  playOn(
    "scenarios on kube-apiserver and kube-controller-manager",
    { ...SCENARIOS, ...WORKLOADS, ...JOBS, ...PROTECTION },
    true,
  );
  playOn("scenarios on kube-apiserver alone", STATUSES, false);
});
