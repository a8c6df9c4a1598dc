import type { ChangeRows } from "../change-rows.ts";
import type { Committed } from "../change-set.ts";

/** How many statements are under way at once, and how many changes one of them takes. */
const LANES = 2;
const BATCH_MAX = 32;

interface Pending {
  readonly rows: ChangeRows;
  readonly reportedId: string;
  readonly resolve: (committed: Promise<Committed>) => void;
}

/** How changes are committed. */
export interface Commits {
  /** One change. `isRepeated`: it may have happened already. */
  alone(rows: ChangeRows, isRepeated: boolean): Promise<Committed>;
  /** All of them, or it rejects. */
  together(batch: readonly ChangeRows[]): Promise<void>;
}

/**
 * Lets changes that come while others are under way share a statement, and so a transaction and a wait for the disk. A change never waits for others to come. If
 * one of a batch is in the way of the rest, each is committed by itself. Only changes of the status of one resource each go together, in the
 * order of their ids: so two batches cannot wait for each other.
 */
export class CommitQueue {
  readonly #commits: Commits;
  #pending: Pending[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(commits: Commits) {
    this.#commits = commits;
  }

  commit(rows: ChangeRows): Promise<Committed> {
    const { reportedId } = rows;
    if (reportedId === undefined) return this.#commits.alone(rows, false);
    const { promise, resolve } = Promise.withResolvers<Committed>();
    this.#pending.push({ rows, reportedId, resolve });
    this.#schedule();
    return promise;
  }

  /** After what is called in the same moment. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= LANES || this.#pending.length === 0) return;
    this.#isScheduled = true;
    void Promise.resolve().then(() => {
      this.#isScheduled = false;
      return this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#pending.slice(0, BATCH_MAX);
    this.#pending = this.#pending.slice(BATCH_MAX);
    this.#underWay += 1;
    this.#schedule();
    await this.#send(batch);
    this.#underWay -= 1;
    this.#schedule();
  }

  /** Resolves when the outcome of all is known. */
  async #send(batch: readonly Pending[]): Promise<void> {
    if (await this.#areTogether(batch)) {
      for (const { resolve } of batch) resolve(Promise.resolve({ kind: "committed" }));
      return;
    }
    const outcomes = batch.map(({ rows, resolve }) => {
      const outcome = this.#commits.alone(rows, true);
      resolve(outcome);
      return outcome;
    });
    await Promise.allSettled(outcomes);
  }

  async #areTogether(batch: readonly Pending[]): Promise<boolean> {
    const sorted = batch.toSorted((a, b) => (a.reportedId < b.reportedId ? -1 : 1));
    try {
      await this.#commits.together(sorted.map(({ rows }) => rows));
      return true;
    } catch {
      return false; // each by itself will find out what is wrong
    }
  }
}
