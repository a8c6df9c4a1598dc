/**
 * The storage contract of a fleet: resources with adapter statuses, due work, and the journal.
 *
 * A change is read, decided and committed. Reads take no locks. The decision is a pure function (`resource/`). The
 * commit is one atomic statement that succeeds only if everything the decision relied on is unchanged (`ChangeSet`);
 * otherwise the caller reads and decides again. There is no open transaction that a broken connection could leave
 * behind, a report costs two statements, and a commit with an unknown result is sent again: its ID in the journal makes
 * it idempotent.
 *
 * SQLite (in process) and PostgreSQL implement this contract; one test suite covers both. Callers pass times, which
 * they get from `now`.
 */
import type { Clock } from "@levelset/core";
import type { Resource, RefreshTtl } from "../resource/index.ts";
import type { ChangeSet, CommitResult } from "./change-set.ts";
import type { FeedPage, FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Claim, ClaimRequest, Completion, PlannedWork, WorkStatus } from "./due-work.ts";
import type { JournalEntry, JournalQuery } from "./journal.ts";
import type { IdempotentResponse } from "./idempotent-response.ts";
import type { ListResult, ListQuery } from "./list-query.ts";
import type { ResourceKey, StoredResource } from "./stored-resource.ts";

/** How much history `FleetStore.trim` retains. */
export interface TrimRequest {
  /** How many reports to retain per resource. */
  readonly reportsPerResource: number;
  /** Audit entries older than this are deleted. */
  readonly auditBefore: number;
  /** Idempotent responses older than this are deleted. */
  readonly answersBefore: number;
  /** Feed entries of resources removed before this time are deleted; older feed positions expire. */
  readonly removedBefore: number;
}

/** A resource with all its descendants and the resources that refer to each; parents come before children. */
export interface StoredTree {
  readonly members: readonly (StoredResource & { readonly referencers: readonly Resource[] })[];
}

/**
 * A fleet store. Every method rejects with `StoreUnavailableError` if the database cannot be reached within the store's
 * retry timeout. After that error of a writing method, the write may or may not have happened.
 */
export interface FleetStore extends AsyncDisposable {
  readonly kind: "sqlite" | "postgres";
  /** Whether the database has a clock that processes on several machines share. If so, due work and leases use it. */
  readonly hasClock: boolean;
  /**
   * Returns the current time in milliseconds since the epoch, as all processes on this store see it. If the database
   * has a clock, this is an estimate of it, which `ttls`, `claim` and `nextDueTime` refresh; otherwise it is the time
   * of `clock`.
   */
  now(clock: Clock): number;

  /** Returns one resource, or undefined if the key does not match. One statement. */
  load(key: ResourceKey): Promise<StoredResource | undefined>;
  /** Returns the existing resources among these IDs, in any order. */
  loadAll(ids: readonly string[]): Promise<readonly StoredResource[]>;
  /** Returns a resource with all its descendants, or undefined if the key does not match. */
  loadTree(key: ResourceKey): Promise<StoredTree | undefined>;
  list(query: ListQuery): Promise<ListResult>;
  journal(query: JournalQuery): Promise<readonly JournalEntry[]>;
  idempotentResponse(key: string): Promise<IdempotentResponse | undefined>;

  /**
   * Commits a change exactly once, even if the connection breaks. A lost race resolves with `conflict` or `duplicate`
   * and changes nothing. One statement unless it has to be retried.
   */
  commit(change: ChangeSet): Promise<CommitResult>;

  /** Returns the current end of the feed. */
  feedEnd(): Promise<FeedPosition>;
  /**
   * Returns the changes after a position in commit order. A later commit never appears before a position already
   * returned.
   */
  feed(query: FeedQuery): Promise<FeedPage>;

  /** Claims due work that is not leased. Two callers never get the same work while the lease lasts. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  complete(completions: readonly Completion[]): Promise<void>;
  /**
   * Returns when the next unclaimed work of these kinds is due or the next lease expires; undefined if there is none.
   */
  nextDueTime(kinds: readonly string[]): Promise<number | undefined>;
  /**
   * Returns up to `limit` resources with IDs greater than `after`, each with its planned work. The periodic sweep uses
   * it to find lost work.
   */
  listPlans(kinds: readonly string[], after: string | undefined, limit: number): Promise<readonly StoredPlan[]>;
  /** Plans work outside of a change for resources without any. Used by the sweep to repair lost work. */
  schedule(workStatus: readonly PlannedWork[]): Promise<void>;

  /** Returns the planned work of one resource; undefined if none was ever planned. */
  workStatus(resourceId: string): Promise<WorkStatus | undefined>;

  /** Returns the maximum age of reports per kind, as published by Sentinels that have a separate configuration. */
  ttls(): Promise<ReadonlyMap<string, RefreshTtl>>;
  setTtl(kind: string, ttl: RefreshTtl): Promise<void>;

  /** Counts, per kind, all resources, those not ready, and those not ready since before `stuckBefore`. */
  counts(stuckBefore: number): Promise<readonly KindCount[]>;
  trim(request: TrimRequest): Promise<void>;
  /** Checks the connection. Rejects with `StoreUnavailableError`. */
  ping(): Promise<void>;
  /**
   * Registers a callback for commits of any process and returns a function that removes it. The callback runs at least
   * once, soon after any number of commits. It is a hint to read the feed or claim work; a notification can be lost.
   */
  onCommit(callback: () => void): () => void;
  /** The number of statements sent since the store was opened. */
  readonly statements: number;
  close(): Promise<void>;
}

/** A resource and when it is due; undefined if no work is planned. */
export interface StoredPlan {
  readonly stored: StoredResource;
  readonly dueTime: number | undefined;
}

/** Resource counts of one kind. */
export interface KindCount {
  readonly kind: string;
  readonly total: number;
  readonly notReady: number;
  /** How many of them have not been ready since before the requested time. */
  readonly stuck: number;
  /** The earliest time since which a resource of this kind has not been ready; absent if all are ready. */
  readonly notReadySince?: number;
  readonly deleting: number;
}
