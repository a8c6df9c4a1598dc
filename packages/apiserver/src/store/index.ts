/** Where objects are kept: one contract, in memory and on disk. Begin with `contract.ts`. */

export type {
  ApiObject,
  Compacted,
  Listing,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./contract.ts";
export type { StoreLimits } from "./limits.ts";
export { MemoryStore } from "./memory.ts";
export { StorageError } from "./storage-error.ts";
export type { StorageFailure } from "./storage-error.ts";
export { SqliteStore } from "./sqlite/store.ts";
export type { SqliteStoreOptions } from "./sqlite/store.ts";
