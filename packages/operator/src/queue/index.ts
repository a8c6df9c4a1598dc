/** Keys that need a run: one worker each, fair, with growing delays. Begin with `work-queue.ts`. */

export { backoffMs } from "./backoff.ts";
export type { BackoffLimits } from "./backoff.ts";
export { describeTrigger } from "./trigger.ts";
export type { Trigger, TriggerKind } from "./trigger.ts";
export { WorkQueue } from "./work-queue.ts";
export type { Job, Priority, WorkQueueOptions } from "./work-queue.ts";
