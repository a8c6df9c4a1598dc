export {
  Client,
  connect,
  Discovery,
  inClusterConfig,
  isMetadataOnly,
  loadKubeconfig,
  metadataOnly,
  parseKubeconfig,
  rootCause,
  staticCredentials,
  WaitError,
  wrapFetch,
} from "./client/index.ts";
export type {
  ApplyConfiguration,
  ApplyOptions,
  CallOptions,
  ClientOptions,
  ClusterConfig,
  Connection,
  Credential,
  CredentialProvider,
  DeepPartial,
  DeleteCollectionOptions,
  DeleteOptions,
  HttpTransport,
  KubeconfigOptions,
  ListOptions,
  ListPage,
  ListWatch,
  MetadataKind,
  Middleware,
  ObjectSelector,
  RequestInfo,
  RetryDependencies,
  ScaleCounts,
  ServedKind,
  Subresource,
  WaitErrorReason,
  WaitGoal,
  WaitOptions,
  WaitProgress,
  WatchEvent,
  WatchOptions,
  WriteObserver,
  WriteOptions,
} from "./client/index.ts";
export { Cache } from "./cache/index.ts";
export type {
  CacheOptions,
  ChangeContext,
  ChangeListener,
  IndexFunction,
  Informer,
  InformerHealth,
  InformerOptions,
  ObjectChange,
  ChangeOrigin,
  WatchFailure,
  WatchPhase,
} from "./cache/index.ts";
export { Contention, describeDispute, ObjectContention } from "./apply/index.ts";
export type { ApplyCache, Contest, ContentionTarget, Dispute, ThrottleLimits } from "./apply/index.ts";
export * from "./queue/index.ts";
export * from "./engine/index.ts";
export { enqueueFromMap } from "./controller/index.ts";
export type {
  ControllerHealth,
  ControllerListener,
  HotLoop,
  HotLoopLimits,
  RunRecord,
  WatchRule,
  WatchRuleOptions,
} from "./controller/index.ts";
export { UNMATCHED_RESOURCE_VERSION } from "./apply/index.ts";
export { DEFAULT_ELECTION_TIMES, Fence } from "./leader/index.ts";
export type { ElectionTimes } from "./leader/index.ts";
export { compareRuns, installCrd, isServed, manager, operator, policyRules } from "./manager/index.ts";
export type {
  AnyController,
  ControllerJson,
  EndpointOptions,
  InstallCrdOptions,
  InstallCrdResult,
  LeaderElection,
  ManagedOperator,
  Manager,
  ManagerOptions,
  Operator,
  OperatorOptions,
  OperatorRuntime,
  RbacNeeds,
  RbacOptions,
  RbacRules,
  RunJson,
  RunsJson,
  StepJson,
} from "./manager/index.ts";
export * from "./steps/index.ts";
export * from "./explain/index.ts";
export * from "./operand/index.ts";
