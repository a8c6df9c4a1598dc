/** The work queue: deduplicated keys, fair between namespaces, with backoff. Begin with `work-queue.ts`. */

export { describeTrigger } from "./trigger.ts";
export type { Trigger, TriggerKind } from "./trigger.ts";
export { WorkQueue } from "./work-queue.ts";
export type { WorkItem, Priority, WorkQueueOptions } from "./work-queue.ts";
