/** Who notices that a resource is due, and pulses. Begin with `sentinel.ts`. */

export { ApiSource, ApiSourceError } from "./api-source.ts";
export type { ApiSourceOptions } from "./api-source.ts";
export { Decision } from "./decision.ts";
export type { NextPulse, Verdict } from "./decision.ts";
export { DEFAULT_DECISION } from "./decision-texts.ts";
export type { DecisionTexts } from "./decision-texts.ts";
export { DEFAULT_MESSAGE, MessageData } from "./message-data.ts";
export type { MessageTexts } from "./message-data.ts";
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
export type { Subject } from "./subject.ts";
export { TokenFile } from "./token-file.ts";
export { NO_TRACES, sentinelTracer } from "./trace-parent.ts";
export type { SentinelTracer } from "./trace-parent.ts";
