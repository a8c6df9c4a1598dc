import type { TestClusterOptions } from "@levelset/apiserver/testing";
import { JOBS } from "./jobs.ts";
import { virtualEnvironment } from "../../support/cluster/environments.ts";
import { PROTECTION } from "./protection.ts";
import { describeOnCluster } from "../../support/cluster/scenario.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STATUSES, WORKLOADS } from "./workloads.ts";

const EMBEDDED = "the embedded server, under a virtual clock";

function playOnClusters(where: string, scenarios: Scenarios, options: TestClusterOptions = {}): void {
  const open = () => virtualEnvironment(options);
  describeOnCluster(where, scenarios, () => Promise.resolve({ open, [Symbol.asyncDispose]: () => Promise.resolve() }));
}

playOnClusters(`scenarios on ${EMBEDDED}`, { ...SCENARIOS, ...STATUSES });
// Without a node pods stay pending, as on a server without kubelets.
playOnClusters(`workloads on ${EMBEDDED}`, { ...WORKLOADS, ...JOBS, ...PROTECTION }, { workloads: { nodes: 0 } });
