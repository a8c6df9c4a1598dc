import { onRealCluster } from "../../support/real-cluster.ts";
import { JOBS } from "./jobs.ts";
import { NAMESPACE } from "./namespace.ts";
import { OWNERSHIP } from "./ownership.ts";
import { PROTECTION } from "./protection.ts";
import { describeOnClusters } from "../../support/cluster/scenario.ts";
import { serverClusters } from "../../support/cluster/server-cluster.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STATUSES, WORKLOADS } from "./workloads.ts";

await onRealCluster("scenarios on kube-apiserver", (start) => {
  describeOnClusters(
    "scenarios on kube-apiserver and kube-controller-manager",
    { ...SCENARIOS, ...WORKLOADS, ...JOBS, ...PROTECTION, ...OWNERSHIP, ...NAMESPACE },
    async () => serverClusters(await start({ controllerManager: true })),
  );
  describeOnClusters("scenarios on kube-apiserver alone", STATUSES, async () => serverClusters(await start()));
});
