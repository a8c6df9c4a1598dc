/** Time and random numbers, passed in as dependencies. Begin with `clock.ts`. */

export { realClock, sleepOnClock } from "./clock.ts";
export type { Clock, Timer } from "./clock.ts";
export { localTimeOf } from "./local-time.ts";
export { jitter, randomInt, randomString, randomUuid, realRandom } from "./random.ts";
export type { Random } from "./random.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { formatTimestamp } from "./timestamp.ts";
