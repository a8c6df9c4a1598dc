import { deepEqual } from "@levelset/core/internal";
import type { TopicUpdate } from "./topic.ts";

/** Minimum number of changes in the journal. A subscriber with an older position gets all rows again. */
const JOURNAL_MAX = 10_000;

/**
 * Rows with change notifications. Subscribers see no rows before {@link LiveTable.open}, because an incomplete list
 * looks like a complete one. The journal stores the IDs of changed rows, not their states: a subscriber with a position
 * gets the current state of each row that changed since, once.
 */
export class LiveTable<Row extends { readonly id: string }> {
  /** Part of all positions: those of another process are invalid. */
  readonly #epoch: string;
  readonly #rows = new Map<string, Row>();
  readonly #listeners = new Set<() => void>();
  /** IDs of changed rows in order. `#first` is the number of the first entry. */
  #journal: string[] = [];
  #first = 1;
  #isOpen = false;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** Returns the row with this ID. */
  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** Returns all rows. */
  rows(): Iterable<Row> {
    return this.#rows.values();
  }

  /** Adds or replaces a row. An equal row is not a change. */
  put(row: Row): void {
    const known = this.#rows.get(row.id);
    if (known !== undefined && deepEqual(known, row)) return;
    this.#rows.set(row.id, row);
    this.#append(row.id);
  }

  /** Removes a row. */
  remove(id: string): void {
    if (this.#rows.delete(id)) this.#append(id);
  }

  /** Marks the initial rows as complete; from now on subscribers get updates. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#notify();
  }

  /** Calls the listener after every change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the changes since a position, or undefined if there are none. An unknown position returns all rows. */
  since(position: string): TopicUpdate | undefined {
    if (!this.#isOpen) return undefined;
    const now = this.#first + this.#journal.length - 1;
    const at = this.#parse(position);
    const current = `${this.#epoch}.${now}`;
    if (at === undefined || at > now || at < this.#first - 1) {
      return { position: current, message: { kind: "reset", rows: [...this.#rows.values()] } };
    }
    if (at === now) return undefined;
    const ids = new Set(this.#journal.slice(at - this.#first + 1));
    const put: Row[] = [];
    const removed: string[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row === undefined) removed.push(id);
      else put.push(row);
    }
    return { position: current, message: { kind: "change", put, removed } };
  }

  #parse(position: string): number | undefined {
    const [epoch, number = ""] = position.split(".");
    return epoch === this.#epoch && /^\d+$/u.test(number) ? Number(number) : undefined;
  }

  #append(id: string): void {
    this.#journal.push(id);
    // Truncates at twice the minimum length, so that the cost per change is small.
    if (this.#journal.length > 2 * JOURNAL_MAX) {
      const cut = this.#journal.length - JOURNAL_MAX;
      this.#journal = this.#journal.slice(cut);
      this.#first += cut;
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
