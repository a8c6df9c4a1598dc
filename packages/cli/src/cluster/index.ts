/** Finds the cluster of a command, and records the servers of a directory. Begin with `find-cluster.ts`. */

export { addClusterFlags, clusterFlagsText } from "./cluster-flags.ts";
export type { ClusterFlags } from "./cluster-flags.ts";
export { clusterKind } from "./cluster-kind.ts";
export { withCluster } from "./cluster-session.ts";
export type { ClusterSession } from "./cluster-session.ts";
export { describeCluster } from "./describe-cluster.ts";
export { explainRefusal } from "./explain-refusal.ts";
export {
  explainUnreachable,
  findCluster,
  isClusterExplicit,
  isFoundByDefault,
  kubeconfigFiles,
} from "./find-cluster.ts";
export type { SelectedCluster } from "./find-cluster.ts";
export { checkClaim, claimKubeconfig, withServerRecord } from "./kubeconfig-claim.ts";
export { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
export { objectKeyIn, parseObjectArg, parseObjectArgs } from "./parse-object-arg.ts";
export type { ObjectArg } from "./parse-object-arg.ts";
export { repeatOnChange } from "./repeat-on-change.ts";
export { ServerNotRunning, writeServerEnd, writeServerRecord } from "./server-record.ts";
export type { ServerRecord } from "./server-record.ts";
