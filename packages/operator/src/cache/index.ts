/** Shared informers with read-your-writes consistency. Begin with `cache.ts`. */

export { Cache } from "./cache.ts";
export type { CacheHealth, CacheOptions } from "./cache.ts";
export { MultiNamespaceInformer } from "./multi-namespace-informer.ts";
export type { MultiNamespaceInformerOptions } from "./multi-namespace-informer.ts";
export { InformerHandle } from "./informer-handle.ts";
export { Informer } from "./informer.ts";
export type { ChangeContext, ChangeListener, InformerHealth, InformerOptions, ChangeOrigin } from "./informer.ts";
export type { IndexFunction } from "./object-index.ts";
export type { ObjectChange } from "./object-store.ts";
export { noAnswer, watchFailure } from "./watch-failure.ts";
export type { WatchFailure, WatchPhase } from "./watch-failure.ts";
export { changedPaths } from "./changed-paths.ts";
export { fieldChange, managerOf } from "./field-change.ts";
export type { FieldChange } from "./field-change.ts";
