/**
 * Shared parts of server-side apply: live reads, write guards, contention, items of other writers, and a cache of applied objects. Begin with
 * `apply-cache.ts`.
 */

export { Contention, CONTENTION, ObjectContention } from "./contention.ts";
export type { Contest, ContentionTarget } from "./contention.ts";
export { digestOf } from "./digest.ts";
export { describeDispute } from "./dispute.ts";
export type { Dispute } from "./dispute.ts";
export { liveObject } from "./live-object.ts";
export type { ClientContext } from "./live-object.ts";
export { UNMATCHED_RESOURCE_VERSION } from "./unmatched-resource-version.ts";
export { ApplyCache } from "./apply-cache.ts";
export { CALM, counted, delayMs } from "./throttle.ts";
export type { Throttle, ThrottleLimits } from "./throttle.ts";
export { isWriteConflict } from "./write-conflict.ts";
export { takeOverItems } from "./take-over-items.ts";
export type { TakeOverOptions, TakeOverResult } from "./take-over-items.ts";
export { isSecret, encodeStringData } from "./string-data.ts";
