/** An embedded Kubernetes API server: create it, listen, and store its objects in memory or in SQLite. */

export type {
  BuiltinControllerOptions,
  GarbageCollectionOptions,
  Stage,
  StageContext,
  StageEffect,
  WorkloadSimulationOptions,
} from "./controllers/index.ts";
export type { LoadProblem } from "./registry/index.ts";
export { createApiServer, listen } from "./server/index.ts";
export type { ApiServer, ApiServerOptions, ClientCertificate, ListeningServer, ListenOptions } from "./server/index.ts";
export { checkDataFile, MemoryStore, SqliteStore, StorageError } from "./store/index.ts";
export type {
  ApiObject,
  CompactedRevision,
  DataFileReport,
  QuarantinedRow,
  SqliteStoreOptions,
  StorageFailure,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreLimits,
  StoreList,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./store/index.ts";
