/** Time and chance, as something that is handed in. Begin with `clock.ts`. */

export { realClock, sleepWith } from "./clock.ts";
export type { Clock, Timer } from "./clock.ts";
export { Deadline, elapsedAtLeast, elapsedAtMost, instantOf } from "./deadline.ts";
export type { Instant } from "./deadline.ts";
export { jitter, randomInt, randomText, randomUuid, realRandom } from "./random.ts";
export type { Random } from "./random.ts";
export { timestamp } from "./timestamp.ts";
