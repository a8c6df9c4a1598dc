/** Where a fleet is kept: one contract, on SQLite and PostgreSQL. Begin with `store.ts`. */

export type { ChangeSet, Committed, Expected, StatusUpdate, Update } from "./change-set.ts";
export type { FeedChange, FeedPart, FeedPosition, FeedQuery } from "./change-feed.ts";
export type { Claim, ClaimRequest, Completion, PlannedWork, UrgentCause, WorkNote, WorkPlan } from "./due-work.ts";
export { StoreUnavailable, StoreUnusable } from "./errors.ts";
export type { JournalAction, JournalEntry, JournalQuery } from "./journal.ts";
export type { KeptAnswer } from "./kept-answer.ts";
export type { ListedPart, ListedResource, ListPart, ListPosition, ListQuery } from "./list-query.ts";
export { migrateStore, openStore } from "./open-store.ts";
export type { StoreConfig, StoreWorld } from "./store-config.ts";
export { SCHEMA_VERSION } from "./migrations.ts";
export type { Migrated } from "./migrations.ts";
export type { FleetStore, KindCount, StoredFamily, StoredPlan, TrimRequest } from "./store.ts";
export { EVERY_TENANT } from "./stored.ts";
export type { ResourceKey, Stored, TenantScope } from "./stored.ts";
