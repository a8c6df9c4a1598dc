import type { Committed } from "./change-set.ts";
import type { ChangeRows } from "./change-rows.ts";
import type { FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlRow, Statement } from "./sql-row.ts";

/**
 * A database as the store uses it: statements that are whole by themselves, and the commit of a change. Every call rejects with
 * `StoreUnavailable` when the database cannot be reached within its patience.
 */
export interface Engine {
  readonly dialect: Dialect;
  /** How many statements were sent. */
  readonly statements: number;
  /**
   * Runs a statement, again if nobody knows whether it happened: it must do no harm twice.
   */
  rows(statement: Statement): Promise<readonly SqlRow[]>;
  /** Commits a change, once. */
  commit(rows: ChangeRows): Promise<Committed>;
  readonly feed: FeedSql;
  /** Statements that are good for the database now and then. */
  readonly upkeep: readonly string[];
  /** Calls back after commits. Returns what ends it. */
  onCommit(callback: () => void): () => void;
  close(): Promise<void>;
}

/** The order of commits, as a database keeps it. */
export interface FeedSql {
  /** Gives one row with `position`: where the feed ends. */
  readonly end: string;
  /** The end of the feed as a position that what follows it comes after. */
  positionOf(row: SqlRow): FeedPosition;
  /**
   * Gives a row for each change after a position, in their order, with `position`, `gone` and the columns of the resource; each has `end_position` and
   * `is_expired`, and if there is no change, there is one row with these alone. Undefined if the position is none.
   */
  changes(query: FeedQuery): Statement | undefined;
  /** Forgets what is known of resources that were removed before a time, and of their reports. `$1` is the time. */
  readonly forget: readonly string[];
}
