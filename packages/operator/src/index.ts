/** Operators: client, cache, steps, manager and Operands. */

export { Cache, Informer } from "./cache/index.ts";
export type { CacheOptions, IndexFunction, InformerOptions, ObjectChange } from "./cache/index.ts";
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
  CredentialProvider,
  DeleteCollectionOptions,
  DeleteOptions,
  KubeconfigOptions,
  ListOptions,
  MetadataKind,
  ServedKind,
  WaitErrorReason,
  WaitOptions,
  WaitProgress,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client/index.ts";
export { enqueueFromMap } from "./controller/index.ts";
export type { WatchRule, WatchRuleOptions } from "./controller/index.ts";
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
  CacheReader,
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
export type { Trigger } from "./queue/index.ts";
export {
  child,
  deleteChildren,
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
  InputOptions,
  JobOptions,
  JobRecord,
  SubresourceOptions,
  WorkloadKind,
  WorkloadStepOptions,
} from "./steps/index.ts";
