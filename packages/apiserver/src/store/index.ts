/** Object storage: one contract with an in-memory and an SQLite implementation. Begin with `store.ts`. */

export type {
  ApiObject,
  CompactedRevision,
  StoreList,
  QuarantinedRow,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./store.ts";
export type { StoreLimits } from "./limits.ts";
export { MemoryStore } from "./memory-store.ts";
export { StorageError } from "./storage-error.ts";
export type { StorageFailure } from "./storage-error.ts";
export { checkDataFile } from "./sqlite/check.ts";
export type { DataFileReport } from "./sqlite/check.ts";
export { SqliteStore } from "./sqlite/sqlite-store.ts";
export type { SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
