/** What all who apply objects share: live reads, guards, and what is known to be settled. Begin with `settled-objects.ts`. */

export { digestOf } from "./digest.ts";
export { liveObject } from "./live-object.ts";
export type { Reach } from "./live-object.ts";
export { NO_VERSION } from "./no-version.ts";
export { SettledObjects } from "./settled-objects.ts";
export { isStale } from "./stale.ts";
export { isSecret, withoutStringData } from "./string-data.ts";
