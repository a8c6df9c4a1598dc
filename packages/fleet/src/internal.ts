/** Shared between the packages of levelset and their tests. Not part of the public API: names may change in any release. */

export { ExpressionCompiler } from "./adapter/index.ts";
export { BROKER_KINDS, traceContextOf } from "./broker/index.ts";
export { describeSettingSource } from "./config/index.ts";
export type { FlagValue } from "./config/index.ts";
export { dueTime, parseTime } from "./resource/index.ts";
export { COLUMNS, SEARCH_COMPARISONS, SEARCH_KEYWORDS } from "./search/index.ts";
export { defaultPulseRule, SENTINEL_SETTINGS, sentinelTracer } from "./sentinel/index.ts";
export { LOCAL_IDENTITY, stableJitterTtl, UuidSource } from "./service/index.ts";
export type { FeedChange, ListCursor, PageRequest, ResourceUpdate } from "./store/index.ts";
