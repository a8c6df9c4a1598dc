/**
 * A typed Kubernetes client. `config` reads kubeconfigs and credentials, `transport` sends requests, `wait` waits for
 * readiness. Begin with `client.ts`.
 */

export { CachedFile } from "./config/cached-file.ts";
export { staticCredentials } from "./config/cluster-config.ts";
export type { ClusterConfig, Credential, CredentialProvider } from "./config/cluster-config.ts";
export type { ScaleCounts } from "./response-object.ts";
export type { ApplyConfiguration, DeepPartial } from "./apply-configuration.ts";
export { Client } from "./client.ts";
export type { ClientOptions } from "./client.ts";
export { connect } from "./transport/connect.ts";
export type { Connection } from "./transport/connect.ts";
export { wrapFetch } from "./transport/raw-fetch.ts";
export type { Middleware, RequestInfo } from "./transport/raw-fetch.ts";
export { withDeclaredNumbers } from "./declared-numbers.ts";
export { Discovery } from "./discovery.ts";
export type { ServedKind } from "./discovery.ts";
export type { HttpTransport } from "./kube-request.ts";
export { inClusterConfig } from "./config/in-cluster.ts";
export { loadKubeconfig, parseKubeconfig } from "./config/kubeconfig.ts";
export type { KubeconfigOptions } from "./config/kubeconfig.ts";
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
export { rootCause } from "./transport/network-error.ts";
export type { Subresource } from "./path.ts";
export { RequestThrottle } from "./request-throttle.ts";
export type { ThrottleReason } from "./request-throttle.ts";
export type { RetryDependencies } from "./retry.ts";
export type { ListWatch, ListPage, WatchEvent } from "../watch/index.ts";
export type { WriteObserver } from "./write-observer.ts";
export { WaitError } from "./wait/wait-error.ts";
export type { WaitErrorReason } from "./wait/wait-error.ts";
export type { WaitGoal, WaitProgress } from "./wait/wait-progress.ts";
export type { WaitOptions } from "./wait/wait.ts";
