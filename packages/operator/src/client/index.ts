/** A typed Kubernetes client with its credentials and connections. Begin with `client.ts`. */

export { staticCredentials } from "./cluster-config.ts";
export type { ClusterConfig, Credential, CredentialProvider } from "./cluster-config.ts";
export type { ScaleCounts } from "./response-object.ts";
export type { ApplyConfiguration, DeepPartial } from "./apply-configuration.ts";
export { Client } from "./client.ts";
export type { ClientOptions } from "./client.ts";
export { connect } from "./connect.ts";
export type { Connection } from "./connect.ts";
export { wrapFetch } from "./raw-fetch.ts";
export type { Middleware, RequestInfo } from "./raw-fetch.ts";
export { Discovery } from "./discovery.ts";
export type { ServedKind } from "./discovery.ts";
export type { HttpTransport } from "./kube-request.ts";
export { inClusterConfig } from "./in-cluster.ts";
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
  ObjectSelector,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
export { rootCause } from "./network-error.ts";
export type { Subresource } from "./path.ts";
export type { RetryDependencies } from "./retry.ts";
export type { ListWatch, ListPage, WatchEvent } from "../watch/index.ts";
export type { WriteObserver } from "./write-observer.ts";
export { WaitError } from "./wait-error.ts";
export type { WaitErrorReason } from "./wait-error.ts";
export type { WaitGoal, WaitProgress } from "./wait-progress.ts";
export type { WaitOptions } from "./wait.ts";
