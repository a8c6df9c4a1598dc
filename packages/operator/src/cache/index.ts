/** Shared informers with read-your-writes consistency. Begin with `cache.ts`. */

export { Cache } from "./cache.ts";
export type { CacheOptions, InformerOptions } from "./cache.ts";
export { Informer } from "./informer.ts";
export type { ChangeContext, ChangeListener, ChangeOrigin, InformerHealth } from "./shared-informer.ts";
export type { IndexFunction } from "./object-index.ts";
export type { ObjectChange } from "./object-store.ts";
export { noAnswer, watchFailure } from "./watch-failure.ts";
export type { WatchFailure, WatchFailureCause, WatchPhase } from "./watch-failure.ts";
export { changedPaths } from "./changed-paths.ts";
export { fieldChange, managerOf } from "./field-change.ts";
export type { FieldChange } from "./field-change.ts";
