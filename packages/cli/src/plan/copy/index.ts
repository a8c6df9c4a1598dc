/** The copy of a cluster: what is read, and the embedded server that has it. Begin with `cluster-copy.ts`. */

export { copyCluster } from "./cluster-copy.ts";
export type { ClusterCopy } from "./cluster-copy.ts";
export { copiedCollections, dynamicSteps, hasPlan, undeclaredReads } from "./copied-collection.ts";
export { crdsOfCopy } from "./crd-of-copy.ts";
export { readCluster } from "./read-cluster.ts";
export type { ClusterObjects } from "./read-cluster.ts";
export { readOnlyFetch } from "./read-only-fetch.ts";
