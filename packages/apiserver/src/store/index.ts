/** Where objects are kept: one contract, in memory and on disk. Begin with `contract.ts`. */

export type {
  ApiObject,
  Compacted,
  Listing,
  QuarantinedRow,
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
export { checkDataFile } from "./sqlite/check.ts";
export type { DataFileReport } from "./sqlite/check.ts";
export { SqliteStore } from "./sqlite/store.ts";
export type { SqliteStoreOptions } from "./sqlite/store.ts";
