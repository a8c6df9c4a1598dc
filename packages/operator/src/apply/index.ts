/** What all who apply objects share: live reads, guards, and what is known to be settled. Begin with `settled-objects.ts`. */

export { Contention, CONTENTION, ObjectContention } from "./contention.ts";
export type { Contest, ContentionTarget } from "./contention.ts";
export { digestOf } from "./digest.ts";
export { describeDispute } from "./dispute.ts";
export type { Dispute } from "./dispute.ts";
export { liveObject } from "./live-object.ts";
export type { Reach } from "./live-object.ts";
export { NO_VERSION } from "./no-version.ts";
export { SettledObjects } from "./settled-objects.ts";
export { CALM, counted, delayMs } from "./throttle.ts";
export type { Throttle, ThrottleLimits } from "./throttle.ts";
export { isStale } from "./stale.ts";
export { isSecret, withoutStringData } from "./string-data.ts";
