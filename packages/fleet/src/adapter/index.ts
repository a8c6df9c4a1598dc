/** Adapters: configuration, execution and reporting. Begin with `serve/adapter-server.ts`. */

export { dryRunText, dryRun } from "./dry-run/index.ts";
export type { DryRunInput, InputFile } from "./dry-run/index.ts";
export { Expression, ExpressionCompiler, ExpressionError } from "./expression/index.ts";
export type { EvaluationResult } from "./expression/index.ts";
export { ApiCaller, ApiCallError, PhaseError, runTask } from "./run/index.ts";
export type {
  ApiCallerOptions,
  ApiCallRecord,
  RunWorld,
  TaskPhase,
  ParseYaml,
  TaskInput,
  TaskOutcome,
} from "./run/index.ts";
export { serveAdapter, AdapterMetrics, AdapterServer, parsePulse, taskHandler } from "./serve/index.ts";
export type {
  AdapterEndpointOptions,
  RunStatus,
  AdapterServerOptions,
  PulseHandler,
  Pulse,
  TaskHandlerOptions,
} from "./serve/index.ts";
export type { FailureKind } from "./situation/index.ts";
export {
  adapter,
  fresh,
  FLEET_GROUP,
  fleetKind,
  NAME_ANNOTATION,
  OWNER_ANNOTATION,
  StepAdapterServer,
} from "./step-adapter/index.ts";
export type {
  AdapterOptions,
  Freshness,
  StepAdapter,
  FleetKindDeclaration,
  StepAdapterServerOptions,
} from "./step-adapter/index.ts";
export { parseFieldPath, TaskConfigError, readTask, taskFilesIn, envReferences } from "./task/index.ts";
export type {
  AdapterTask,
  ApiCall,
  Backoff,
  Capture,
  ComputedValue,
  DiscoverySpec,
  FieldCondition,
  FieldOperator,
  TaskFieldPath,
  HttpResource,
  LogTemplate,
  ManifestTemplate,
  Param,
  ParamSource,
  ParamType,
  Payload,
  PostAction,
  Precondition,
  PreconditionTest,
  PropagationPolicy,
  ResourceTransport,
  TaskResource,
  TemplateTree,
  TaskSource,
  TaskFiles,
} from "./task/index.ts";
export { TemplateError, Template, GoTime } from "./template/index.ts";
export type { TemplateWorld, TemplateMap, TemplateValue } from "./template/index.ts";
export {
  ContestedObjectError,
  GENERATION_ANNOTATION,
  generationAnnotationOf,
  KubernetesTransport,
  describeObject,
  isClaimed,
  NotOwnedError,
  ownershipOf,
  AdapterTransportError,
  MaestroError,
  MaestroTransport,
} from "./transport/index.ts";
export type {
  KubernetesTransportOptions,
  OwnerInfo,
  OwnerClaim,
  Ownership,
  TransportApplyResult,
  TransportApplyOptions,
  RemoveOptions,
  ObjectLocator,
  Transport,
  MaestroClient,
  MaestroReason,
  WorkPreconditions,
} from "./transport/index.ts";
export { parseYaml } from "./yaml.ts";
