import type { ChangeRows } from "../change-rows.ts";
import type { CommitResult } from "../change-set.ts";

/** The maximum number of concurrent statements, and of changes per statement. */
const CONCURRENCY = 2;
const BATCH_MAX = 32;

interface Pending {
  readonly rows: ChangeRows;
  readonly reportedId: string;
  readonly resolve: (committed: Promise<CommitResult>) => void;
}

/** Commits changes on behalf of a {@link CommitQueue}. */
export interface Committer {
  /** Commits one change. `isRepeated`: an earlier attempt may have succeeded. */
  commitOne(rows: ChangeRows, isRepeated: boolean): Promise<CommitResult>;
  /** Commits all changes, or rejects and commits none. */
  commitBatch(batch: readonly ChangeRows[]): Promise<void>;
}

/**
 * Batches changes that arrive while other commits are in flight into one statement, and so into one transaction and one
 * disk flush. A change never waits for others to arrive. If a batch fails, each of its changes is committed separately.
 * Only status changes of a single resource are batched, ordered by resource ID, so two batches cannot deadlock.
 */
export class CommitQueue {
  readonly #commits: Committer;
  #pending: Pending[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(commits: Committer) {
    this.#commits = commits;
  }

  commit(rows: ChangeRows): Promise<CommitResult> {
    const { reportedId } = rows;
    if (reportedId === undefined) return this.#commits.commitOne(rows, false);
    const { promise, resolve } = Promise.withResolvers<CommitResult>();
    this.#pending.push({ rows, reportedId, resolve });
    this.#schedule();
    return promise;
  }

  /** Runs after all synchronous callers of the current tick. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= CONCURRENCY || this.#pending.length === 0) return;
    this.#isScheduled = true;
    void Promise.resolve().then(() => {
      this.#isScheduled = false;
      return this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#pending.slice(0, BATCH_MAX);
    this.#pending = this.#pending.slice(BATCH_MAX);
    this.#inFlight += 1;
    this.#schedule();
    await this.#send(batch);
    this.#inFlight -= 1;
    this.#schedule();
  }

  /** Resolves when all results are known. */
  async #send(batch: readonly Pending[]): Promise<void> {
    if (await this.#areTogether(batch)) {
      for (const { resolve } of batch) resolve(Promise.resolve({ kind: "committed" }));
      return;
    }
    const outcomes = batch.map(({ rows, resolve }) => {
      const outcome = this.#commits.commitOne(rows, true);
      resolve(outcome);
      return outcome;
    });
    await Promise.allSettled(outcomes);
  }

  async #areTogether(batch: readonly Pending[]): Promise<boolean> {
    const sorted = batch.toSorted((a, b) => (a.reportedId < b.reportedId ? -1 : 1));
    try {
      await this.#commits.commitBatch(sorted.map(({ rows }) => rows));
      return true;
    } catch {
      return false; // committing each change separately finds the failing one
    }
  }
}
