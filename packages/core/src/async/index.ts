/** Concurrency and waiting: abort signals, timeouts, backoff, mutex, semaphore. Begin with `abort.ts`. */

export { abortable, abortError, LinkedAbortController, onAbort, whenAborted, withTimeout } from "./abort.ts";
export type { AbortTimeout } from "./abort.ts";
export { BACKOFF_DEFAULTS, backoffBaseMs, backoffMs } from "./backoff.ts";
export type { BackoffLimits } from "./backoff.ts";
export { BACKOFFS } from "./backoffs.ts";
export { Deadline, elapsedAtLeast, elapsedAtMost, instantOf } from "./deadline.ts";
export type { Instant } from "./deadline.ts";
export { KeyedMutex } from "./keyed-mutex.ts";
export { CONCURRENCY_MAX, mapConcurrent } from "./map-concurrent.ts";
export { Semaphore } from "./semaphore.ts";
export { Signal } from "./signal.ts";
export { TokenBucket } from "./token-bucket.ts";
export type { TokenRate } from "./token-bucket.ts";
