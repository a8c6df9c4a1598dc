/** Storage of a fleet: one contract, implemented on SQLite and PostgreSQL. Begin with `fleet-store.ts`. */

export type { ChangeSet, CommitResult, ExpectedRevision, StatusUpdate, ResourceUpdate } from "./change-set.ts";
export type { FeedChange, FeedPage, FeedPosition, FeedQuery } from "./change-feed.ts";
export type {
  Claim,
  ClaimRequest,
  Completion,
  PlannedWork,
  UrgentCause,
  WorkStatus,
  PlanCounters,
} from "./due-work.ts";
export { StoreUnavailableError, StoreUnusableError } from "./store-errors.ts";
export type { JournalAction, JournalEntry, JournalQuery } from "./journal.ts";
export type { IdempotentResponse } from "./idempotent-response.ts";
export type { ListResult, ListedResource, PageRequest, ListCursor, ListQuery } from "./list-query.ts";
export { migrateStore, openStore } from "./open-store.ts";
export type { StoreConfig, StoreWorld } from "./store-config.ts";
export { SCHEMA_VERSION } from "./migrations.ts";
export type { MigrationResult } from "./migrations.ts";
export type { FleetStore, KindCount, StoredTree, StoredPlan, TrimRequest } from "./fleet-store.ts";
export { EVERY_TENANT } from "./stored-resource.ts";
export type { ResourceKey, StoredResource, TenantScope } from "./stored-resource.ts";
