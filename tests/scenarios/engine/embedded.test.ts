import { JOBS } from "./jobs.ts";
import { NAMESPACE } from "./namespace.ts";
import { OWNERSHIP } from "./ownership.ts";
import { PROTECTION } from "./protection.ts";
import { describeOnClusters, virtualClusters } from "../../support/cluster/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STATUSES, WORKLOADS } from "./workloads.ts";

const EMBEDDED = "the embedded server, under a virtual clock";

describeOnClusters(`scenarios on ${EMBEDDED}`, { ...SCENARIOS, ...STATUSES }, () => virtualClusters());
// Without a node pods stay pending, as on a server without kubelets.
describeOnClusters(
  `workloads on ${EMBEDDED}`,
  { ...WORKLOADS, ...JOBS, ...PROTECTION, ...OWNERSHIP, ...NAMESPACE },
  () => virtualClusters({ workloads: { nodes: 0 } }),
);
