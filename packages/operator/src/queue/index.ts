export { backoffMs } from "./backoff.ts";
export type { BackoffLimits } from "./backoff.ts";
export { WorkQueue } from "./work-queue.ts";
export type { Job, Priority, WorkQueueOptions } from "./work-queue.ts";
