/**
 * Where a fleet is kept: resources with what adapters reported on them, the work that is due, and the journal of what happened.
 *
 * A change is read, decided, committed. Reading locks nothing. The decision is a pure function (`resource/`). The commit is one statement,
 * atomic by itself, that holds only if everything the decision relied on is still as it was read (`ChangeSet`); otherwise the caller
 * reads and decides again. So there is no open transaction that a cut connection could leave behind, a report costs two statements,
 * and a commit of which nobody knows whether it happened is simply sent again: its id in the journal tells.
 *
 * Two stores keep this contract, SQLite in the process and PostgreSQL, and one suite of tests holds both to it. Times come from the caller, who
 * asks the store for the present one.
 */
import type { Clock } from "@levelset/core";
import type { Resource, RefreshTtl } from "../resource/index.ts";
import type { ChangeSet, Committed } from "./change-set.ts";
import type { FeedPart, FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Claim, ClaimRequest, Completion, PlannedWork, WorkNote } from "./due-work.ts";
import type { JournalEntry, JournalQuery } from "./journal.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { ListedPart, ListQuery } from "./list-query.ts";
import type { ResourceKey, Stored } from "./stored.ts";

/** What to forget. */
export interface TrimRequest {
  /** How many reports are kept per resource. */
  readonly reportsPerResource: number;
  /** Audit entries older than this go. */
  readonly auditBefore: number;
  /** Kept answers older than this go. */
  readonly answersBefore: number;
  /** What is known of removed resources before this goes; older positions in the feed expire. */
  readonly removedBefore: number;
}

/** A resource with everything below it and who refers to each from where; parents before children. */
export interface StoredFamily {
  readonly members: readonly (Stored & { readonly referencers: readonly Resource[] })[];
}

/** A store. Every method rejects with `StoreUnavailable` when the database cannot be reached within the store's patience. */
export interface FleetStore extends AsyncDisposable {
  readonly kind: "sqlite" | "postgres";
  /** Whether the database has a clock that processes on several machines share. Due work and leases are then kept by it. */
  readonly hasClock: boolean;
  /**
   * Now, in milliseconds since the epoch, as all processes on this store see it: an estimate of the database's clock if it has one, which the statements of
   * `ttls`, `claim` and `nextDueTime` refresh; else what `clock` shows.
   */
  now(clock: Clock): number;

  /** One resource. One statement. */
  load(key: ResourceKey): Promise<Stored | undefined>;
  /** Some resources by id, those that are there, in any order. */
  loadAll(ids: readonly string[]): Promise<readonly Stored[]>;
  /** A resource with all its descendants. */
  family(key: ResourceKey): Promise<StoredFamily | undefined>;
  list(query: ListQuery): Promise<ListedPart>;
  journal(query: JournalQuery): Promise<readonly JournalEntry[]>;
  answer(key: string): Promise<KeptAnswer | undefined>;

  /** Commits a change, once, however often the connection is cut meanwhile. One statement if it is not. */
  commit(change: ChangeSet): Promise<Committed>;

  /** Where the feed ends now. */
  feedEnd(): Promise<FeedPosition>;
  /** What changed after a position, in the order of commits; nothing that commits later comes before it. */
  feed(query: FeedQuery): Promise<FeedPart>;

  /** Claims what is due and held by nobody. Two callers never get the same. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  complete(completions: readonly Completion[]): Promise<void>;
  /** When the next unclaimed work of these kinds is due, or a lease ends. */
  nextDueTime(kinds: readonly string[]): Promise<number | undefined>;
  /**
   * Resources by id after one, with what is planned for each: for the sweep that proves that nothing was lost. Returns at most `limit`.
   */
  planned(kinds: readonly string[], after: string | undefined, limit: number): Promise<readonly StoredPlan[]>;
  /** Plans work outside of a change, where none is planned: the sweep's repair. */
  plan(work: readonly PlannedWork[]): Promise<void>;

  /** What is planned for one resource; undefined if nothing ever was. */
  work(resourceId: string): Promise<WorkNote | undefined>;

  /** How old reports may get, per kind; what a Sentinel with a configuration of its own has told. */
  ttls(): Promise<ReadonlyMap<string, RefreshTtl>>;
  setTtl(kind: string, ttl: RefreshTtl): Promise<void>;

  /** How many resources of each kind are not ready, since before `stuckBefore` or later, and how many there are. */
  counts(stuckBefore: number): Promise<readonly KindCount[]>;
  trim(request: TrimRequest): Promise<void>;
  /** Asks the database. Rejects with `StoreUnavailable`. */
  ping(): Promise<void>;
  /**
   * Calls back after commits of this or any other process, soon and at least once for any number of them: a hint to look at the feed or at due work,
   * never a promise. Returns what ends it.
   */
  onCommit(callback: () => void): () => void;
  /** How many statements were sent since the store was opened. */
  readonly statements: number;
  close(): Promise<void>;
}

/** A resource and when it is planned to be looked at; undefined if nothing is planned. */
export interface StoredPlan {
  readonly stored: Stored;
  readonly dueTime: number | undefined;
}

/** Figures of a kind. */
export interface KindCount {
  readonly kind: string;
  readonly total: number;
  readonly notReady: number;
  /** Of those, how many have not been ready since before the time that was asked about. */
  readonly stuck: number;
  /** Since when the one has not been ready that has not been for the longest time; absent when all are. */
  readonly notReadySince?: number;
  readonly deleting: number;
}
