/** The Sentinel, which detects due resources and sends pulses. Begin with `sentinel.ts`. */

export { ApiSource, ApiSourceError } from "./api-source.ts";
export type { ApiSourceOptions } from "./api-source.ts";
export { PulseDecision } from "./pulse-decision.ts";
export type { NextPulse, DecisionResult } from "./pulse-decision.ts";
export { DEFAULT_DECISION } from "./decision-expressions.ts";
export type { DecisionExpressions } from "./decision-expressions.ts";
export { DEFAULT_MESSAGE, MessageData } from "./message-data.ts";
export type { MessageExpressions } from "./message-data.ts";
export { PollingSentinel } from "./polling-sentinel.ts";
export type { PollingSentinelOptions } from "./polling-sentinel.ts";
export { selectorSearch, selectorText } from "./pulse-rule.ts";
export type { PulseRule } from "./pulse-rule.ts";
export { readSentinelConfig } from "./sentinel-config.ts";
export type { SentinelApiConfig, SentinelConfig, SentinelConfigInput, SentinelSource } from "./sentinel-config.ts";
export { serveSentinels } from "./sentinel-endpoints.ts";
export { SENTINEL_SETTINGS } from "./sentinel-setting.ts";
export type { SentinelSetting } from "./sentinel-setting.ts";
export { Sentinel, SENTINEL_LIMITS } from "./sentinel.ts";
export type { SentinelLimits, SentinelOptions } from "./sentinel.ts";
export type { SentinelHealth } from "./sentinel-health.ts";
export { SentinelMetrics } from "./sentinel-metrics.ts";
export type { PulseSubject } from "./pulse-subject.ts";
export { TokenFile } from "./token-file.ts";
export { noopSentinelTracer, sentinelTracer } from "./sentinel-tracer.ts";
export type { SentinelTracer } from "./sentinel-tracer.ts";
