import type { RecordChange } from "./change-feed.ts";

/** A level-triggered controller: it acts on the current state of the store. Changes only select the keys to sync. */
export interface BuiltinController {
  readonly name: string;
  /** Returns the keys to sync after a change. */
  affectedKeys(change: RecordChange): Iterable<string>;
  /** Reconciles one key. Returns the delay in milliseconds until the next sync, or undefined. */
  sync(key: string): Promise<number | undefined>;
  /** Called once with a function that enqueues a key independently of changes. */
  setEnqueue?(enqueue: (key: string) => void): void;
}
