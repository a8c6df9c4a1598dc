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
export { MemoryStore } from "./memory.ts";
export type { MemoryStoreOptions } from "./memory.ts";
