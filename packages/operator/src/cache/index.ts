export { Informer } from "./informer.ts";
export type { ChangeListener, InformerOptions } from "./informer.ts";
export { ObjectStore } from "./object-store.ts";
export type { ObjectChange } from "./object-store.ts";
export { EMPTY, next } from "./watch-state.ts";
export type { StoreChange, WatchInput, WatchState } from "./watch-state.ts";
