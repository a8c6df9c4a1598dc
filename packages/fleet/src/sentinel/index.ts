/** The Sentinel, which detects due resources and sends pulses. Begin with `sentinel.ts`. */

export { ApiSource, ApiSourceError } from "./api-source.ts";
export type { ApiSourceOptions } from "./api-source.ts";
export { PulseDecision } from "./decision/pulse-decision.ts";
export type { NextPulse, DecisionResult } from "./decision/pulse-decision.ts";
export { DEFAULT_DECISION } from "./decision/decision-expressions.ts";
export type { DecisionExpressions } from "./decision/decision-expressions.ts";
export { DEFAULT_MESSAGE, MessageData } from "./pulse/message-data.ts";
export type { MessageExpressions } from "./pulse/message-data.ts";
export { PollingSentinel } from "./polling-sentinel.ts";
export type { PollingSentinelOptions } from "./polling-sentinel.ts";
export { selectorSearch, selectorText } from "./decision/pulse-rule.ts";
export type { PulseRule } from "./decision/pulse-rule.ts";
export { defaultPulseRule, readSentinelConfig } from "./config/sentinel-config.ts";
export type {
  SentinelApiConfig,
  SentinelConfig,
  SentinelConfigInput,
  SentinelSource,
} from "./config/sentinel-config.ts";
export { serveSentinels } from "./sentinel-endpoints.ts";
export { SENTINEL_SETTINGS } from "./config/sentinel-setting.ts";
export type { SentinelSetting } from "./config/sentinel-setting.ts";
export { Sentinel, SENTINEL_LIMITS } from "./sentinel.ts";
export type { SentinelLimits, SentinelOptions } from "./sentinel.ts";
export type { SentinelHealth } from "./sentinel-health.ts";
export { SentinelMetrics } from "./sentinel-metrics.ts";
export type { PulseSubject } from "./decision/pulse-subject.ts";
export { TokenFile } from "./token-file.ts";
export { noopSentinelTracer, sentinelTracer } from "./sentinel-tracer.ts";
export type { SentinelTracer } from "./sentinel-tracer.ts";
