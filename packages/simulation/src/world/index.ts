/** The simulated world: cluster, processes, connections. Begin with `simulated-cluster.ts`. */

export { isBookkeeping, isBookkeepingResource, isOfLease } from "./bookkeeping.ts";
export type { CapturedState, ObservedRun } from "./captured-state.ts";
export { ClusterFaults } from "./cluster-faults.ts";
export { Connection } from "./connection.ts";
export type { Refusal, SentRequest, StaleReads } from "./connection.ts";
export { ExternalCalls } from "./external-calls.ts";
export { isOperatorManager, Journal } from "./journal.ts";
export type { ObjectRecord } from "./journal.ts";
export { describeKey, objectKey } from "./object-key.ts";
export { SimulatedCluster } from "./simulated-cluster.ts";
export type { SimulatedClusterOptions } from "./simulated-cluster.ts";
export { LEASE_KEY, SimulatedProcess } from "./simulated-process.ts";
export { compareSnapshots, describeRecord, keyOf, noiseKey, takeSnapshot } from "./snapshot.ts";
export type { GeneratedChildren, Snapshot } from "./snapshot.ts";
export { UserClient } from "./user-client.ts";
export type { UserWrite } from "./user-client.ts";
export { WorldLog } from "./world-log.ts";
export type { LogSource, WorldLogLine } from "./world-log.ts";
export { withRejections } from "./world-rejections.ts";
export { isRefusedConnection, refuseNetwork, withoutNetwork } from "./refuse-network.ts";
export type { RefusedNetwork } from "./refuse-network.ts";
