/** Requests to a cluster, typed by kinds; credentials and connections behind them. Begin with `client.ts`. */

export { fixedCredentials } from "./access.ts";
export type { ClusterAccess, Credential, Credentials } from "./access.ts";
export type { Scale } from "./answer.ts";
export type { Applied, Partially } from "./applied.ts";
export { Client } from "./client.ts";
export type { ClientOptions } from "./client.ts";
export { connect } from "./connect.ts";
export type { Connection } from "./connect.ts";
export { wrapFetch } from "./direct.ts";
export type { Pass, Passing } from "./direct.ts";
export { Discovery } from "./discovery.ts";
export type { ServedKind } from "./discovery.ts";
export type { Transport } from "./exchange.ts";
export { inClusterAccess } from "./in-cluster.ts";
export { loadKubeconfig, parseKubeconfig } from "./kubeconfig.ts";
export type { KubeconfigOptions } from "./kubeconfig.ts";
export { isMetadataOnly, metadataOnly } from "./metadata-only.ts";
export type { MetadataKind } from "./metadata-only.ts";
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
export { innermost } from "./network-failure.ts";
export type { Subresource } from "./path.ts";
export type { RetryWorld } from "./retry.ts";
export type { ListWatch, Page, WatchEvent } from "../watch/index.ts";
export type { WriteObserver } from "./write-observer.ts";
export { WaitError } from "./wait-error.ts";
export type { WaitErrorReason } from "./wait-error.ts";
export type { ObjectState, WaitGoal, WaitProgress } from "./wait-progress.ts";
export type { WaitOptions } from "./wait.ts";
