/** Operators: client, cache, steps, manager and Operands. */

export { Cache, Informer } from "./cache/index.ts";
export type { CacheOptions, IndexFunction, InformerOptions } from "./cache/index.ts";
export {
  Client,
  connect,
  Discovery,
  inClusterConfig,
  loadKubeconfig,
  metadataOnly,
  parseKubeconfig,
  staticCredentials,
  WaitError,
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
  DeleteCollectionOptions,
  DeleteOptions,
  KubeconfigOptions,
  ListOptions,
  ListPage,
  MetadataKind,
  ServedKind,
  WaitErrorReason,
  WaitGoal,
  WaitOptions,
  WaitProgress,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client/index.ts";
export { enqueueFromMap } from "./controller/index.ts";
export type { RunRecord, WatchRule, WatchRuleOptions } from "./controller/index.ts";
export {
  combineResults,
  fail,
  kindWith,
  ok,
  reference,
  referenceByLabels,
  refTo,
  requeueAfter,
  step,
  terminal,
  wait,
} from "./engine/index.ts";
export type {
  AnyResult,
  DynamicWatch,
  EventInput,
  KindWith,
  LabelQuery,
  MaybeAsyncResult,
  ObjectRef,
  OutputOf,
  OutputStep,
  Reference,
  Req,
  Result,
  ResultOptions,
  RunReport,
  StatusDraft,
  Step,
  StepOptions,
  StepPolicyRule,
  Tracer,
} from "./engine/index.ts";
export { why } from "./explain/index.ts";
export type { ObjectNode, WhyOptions, WhySources } from "./explain/index.ts";
export type { ElectionTimes } from "./leader/index.ts";
export { installCrd, manager, operator, policyRules } from "./manager/index.ts";
export type {
  EndpointOptions,
  InstallCrdOptions,
  InstallCrdResult,
  LeaderElection,
  ManagedOperator,
  Manager,
  ManagerOptions,
  Operator,
  OperatorOptions,
  RbacRules,
} from "./manager/index.ts";
export {
  ClusterActiveOperand,
  manifestOf,
  Operand,
  operand,
  operandManager,
  operandOperators,
  OperandRevision,
  planOperand,
  PRUNE_CONFIRMED_ANNOTATION,
} from "./operand/index.ts";
export type { OperandPlan, OperandStepOptions } from "./operand/index.ts";
export {
  child,
  childName,
  dependency,
  external,
  input,
  job,
  jobRecord,
  subresource,
  subresources,
  workload,
} from "./steps/index.ts";
export type {
  ChildStepOptions,
  DependencyOptions,
  ExternalOptions,
  ExternalResult,
  ExternalState,
  JobOptions,
  JobRecord,
  SubresourceOptions,
  WorkloadKind,
  WorkloadStepOptions,
} from "./steps/index.ts";
