/** Shared between the packages of levelset and their tests. Not part of the public API: names may change in any release. */

export { conflictCause, fieldManagerId, isManagedFieldsReset } from "./apply/index.ts";
export {
  abortable,
  abortError,
  BACKOFF_DEFAULTS,
  backoffBaseMs,
  backoffMs,
  BACKOFFS,
  CONCURRENCY_MAX,
  Deadline,
  elapsedAtLeast,
  instantOf,
  KeyedMutex,
  LinkedAbortController,
  mapConcurrent,
  onAbort,
  Semaphore,
  Signal,
  TokenBucket,
  whenAborted,
  withTimeout,
} from "./async/index.ts";
export type { BackoffLimits, Instant, TokenRate } from "./async/index.ts";
export {
  combineConditionUpdates,
  computeConditions,
  decideState,
  INCOMPLETE,
  INIT,
  initialConditionUpdates,
  joinMessages,
  MESSAGE_MAX,
  mirrorReady,
  setConditionUpdate,
  severityRank,
  SUSPENDED,
} from "./condition/index.ts";
export type { ReconcileOutcome } from "./condition/index.ts";
export { CronError, isTimeZone, parseCron } from "./cron/index.ts";
export type { CronSchedule } from "./cron/index.ts";
export { isProgrammingError, isTooLarge, retryAfterOf, toError, unreachable } from "./error/index.ts";
export type { StatusCause } from "./error/index.ts";
export { formatRfc3339, parseGoDurationMs, parseRfc3339 } from "./format/index.ts";
export {
  canonicalJson,
  compareCodeUnits,
  decodeUtf8,
  deepEqual,
  deepFreeze,
  duplicateFields,
  encodeBase64,
  JsonError,
  jsonForm,
  LruCache,
  mapJsonArray,
  mapJsonObject,
  parseJson,
  sha256,
  storableText,
  stringifyJson,
  textProblem,
  truncateText,
  ValidationCache,
} from "./json/index.ts";
export type { CrdFields, CrdNames, CrdVersion } from "./kind/index.ts";
export { formatLogLine } from "./log/index.ts";
export {
  containsIp,
  formatIp,
  isCidr,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isLoopbackHost,
  isUnspecified,
  parseCidr,
  parseIp,
  parseUrl,
  UrlError,
} from "./net/index.ts";
export {
  addFinalizerPatch,
  annotatedOwnerOf,
  childFinalizerName,
  compareGenerations,
  controllingOwnerUid,
  describeGeneration,
  finalizerName,
  formatApiVersion,
  isRemoteOwner,
  isSuspended,
  jobFinalizerName,
  managerOf,
  ownerAnnotations,
  parseApiVersion,
  parseKey,
  REMOTE_OWNER_ANNOTATION,
  removeFinalizerPatch,
  removeOwnerPatch,
  strippedOwnerUid,
  withOwnerReference,
} from "./object/index.ts";
export type { ManagingOwner, ObjectWithObservedGeneration } from "./object/index.ts";
export { PATCH_TYPES } from "./patch/index.ts";
export {
  isBuiltIn,
  isRecord,
  isUnobserved,
  objectState,
  readinessRuleOf,
  readKubeObject,
  stateOfConditions,
} from "./readiness/index.ts";
export { jobReadiness } from "./readiness-rule/index.ts";
export {
  redactCredentials,
  REDACTED,
  redactFields,
  redactSecrets,
  redactSecretsInPair,
  SECRET_MASK,
  SecretRedactor,
  secretScrubber,
} from "./redaction/index.ts";
export {
  checkRules,
  childPath,
  coerceEmbedded,
  compilePattern,
  compileRules,
  invalidError,
  isBlockingError,
  propertySchema,
  textErrors,
} from "./schema/index.ts";
export type { CompiledPattern, RuleSet } from "./schema/index.ts";
export { selectorFields } from "./selector/index.ts";
export { describeDuration, escapeControlChars, wrap } from "./text/index.ts";
export type { StyledText, TextStyle } from "./text/index.ts";
export {
  formatTimestamp,
  jitter,
  parseRetryAfter,
  randomInt,
  randomString,
  randomUuid,
  sleepOnClock,
} from "./time/index.ts";
export { CLUSTER_ORIGIN } from "./world/index.ts";
