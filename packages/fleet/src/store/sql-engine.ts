import type { CommitResult } from "./change-set.ts";
import type { ChangeRows } from "./change-rows.ts";
import type { FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlRow, Statement } from "./sql-row.ts";

/**
 * A database as the store uses it: self-contained statements, and the commit of a change. Every call rejects with
 * `StoreUnavailableError` if the database cannot be reached within its retry timeout.
 */
export interface SqlEngine {
  readonly dialect: Dialect;
  /** The number of statements sent. */
  readonly statements: number;
  /** Runs a statement, and repeats it if its result is unknown. The statement must be idempotent. */
  rows(statement: Statement): Promise<readonly SqlRow[]>;
  /** Commits a change exactly once. */
  commit(rows: ChangeRows): Promise<CommitResult>;
  readonly feed: FeedSql;
  /** Statements to run periodically. */
  readonly maintenanceSql: readonly string[];
  /** Adds a callback for commits and returns a function that removes it. */
  onCommit(callback: () => void): () => void;
  close(): Promise<void>;
}

/** The SQL of the change feed. */
export interface FeedSql {
  /** Selects one row with `position`, the end of the feed. */
  readonly end: string;
  /** Converts the row of `end` to a position. */
  positionOf(row: SqlRow): FeedPosition;
  /**
   * Selects a row for each change after a position, in order, with `position`, `gone` and the columns of the resource.
   * Each row has `end_position` and `is_expired`; if there are no changes, there is one row with only these. Returns
   * undefined if the position is malformed.
   */
  changes(query: FeedQuery): Statement | undefined;
  /** Deletes feed entries of resources that were removed before the time `$1`. */
  readonly trim: readonly string[];
}
