/** Kinds, objects, conditions, errors and the built-in kinds of Kubernetes. */

export { findCondition, isConditionTrue, isReady, READY } from "./condition/index.ts";
export type {
  Condition,
  ConditionStatus,
  ConditionUpdate,
  ObjectState,
  ObjectWithConditions,
  Severity,
} from "./condition/index.ts";
export {
  DeclarationError,
  InputError,
  isAbortError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  StatusError,
  TransportError,
} from "./error/index.ts";
export type { StatusDetails, StatusObject, StatusReason } from "./error/index.ts";
export { cloneJson, hashJson, isJsonObject } from "./json/index.ts";
export type { JsonObject, JsonValue } from "./json/index.ts";
export { apiVersionOf, builtIn, conversion, crdOf, kind, kindFromCrd, kindId } from "./kind/index.ts";
export type {
  AnyCustomKind,
  BuiltInDeclaration,
  BuiltInKind,
  ColumnDeclaration,
  Conversion,
  CustomKind,
  CustomObject,
  EngineStatus,
  Kind,
  KindDeclaration,
  NewCustomObject,
  NewObject,
  NewOf,
  ObjectOf,
  Scope,
  SpecOf,
  StatusOf,
} from "./kind/index.ts";
export * from "./kubernetes/index.ts";
export { createLogger, silentLogger } from "./log/index.ts";
export type { LogFields, Logger, LogLevel, LogLine } from "./log/index.ts";
export {
  compareResourceVersions,
  controllerOf,
  controllerReference,
  formatKey,
  generationState,
  hasFinalizer,
  isDeleting,
  isOwnedBy,
  isPaused,
  objectKeyOf,
  observedGenerationOf,
  PAUSED_ANNOTATION,
} from "./object/index.ts";
export type {
  GenerationState,
  KubeObject,
  ManagedFieldsEntry,
  NewMeta,
  ObjectKey,
  ObjectMeta,
  OwnerReference,
} from "./object/index.ts";
export { readinessOf } from "./readiness/index.ts";
export type { Readiness } from "./readiness-rule/index.ts";
export { s } from "./schema/index.ts";
export type { EmbeddedObject, Infer } from "./schema/index.ts";
export { realClock, realRandom } from "./time/index.ts";
export type { Clock, Random, Timer } from "./time/index.ts";
export type { Fetch, Runnable, World } from "./world/index.ts";
