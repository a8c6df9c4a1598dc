import { deepEqual } from "@levelset/core";
import type { TopicNews } from "./topic.ts";

/** How many changes are remembered: who was away for longer gets all rows again. */
const JOURNAL_MAX = 10_000;

/**
 * Rows that followers see live, from when all of them have been put: half a list looks like a whole one. It remembers which rows changed, in order, but not how: whoever comes back with a position gets the
 * present state of what has changed since, however often it did.
 */
export class LiveTable<Row extends { readonly id: string }> {
  /** Positions of another life of the process mean nothing here. */
  readonly #epoch: string;
  readonly #rows = new Map<string, Row>();
  readonly #listeners = new Set<() => void>();
  /** Ids in the order of their changes; the first is of the change `#first`. */
  #journal: string[] = [];
  #first = 1;
  #isOpen = false;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  rows(): Iterable<Row> {
    return this.#rows.values();
  }

  put(row: Row): void {
    const known = this.#rows.get(row.id);
    if (known !== undefined && deepEqual(known, row)) return;
    this.#rows.set(row.id, row);
    this.#note(row.id);
  }

  remove(id: string): void {
    if (this.#rows.delete(id)) this.#note(id);
  }

  /** Takes note that all rows have been put once: from now on followers are told. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#tell();
  }

  /** Calls after every change, until the answer is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What has changed since a position; undefined when nothing has. An unknown position is the beginning. */
  since(position: string): TopicNews | undefined {
    if (!this.#isOpen) return undefined;
    const now = this.#first + this.#journal.length - 1;
    const at = this.#read(position);
    const here = `${this.#epoch}.${now}`;
    if (at === undefined || at > now || at < this.#first - 1) {
      return { position: here, message: { kind: "reset", rows: [...this.#rows.values()] } };
    }
    if (at === now) return undefined;
    const ids = new Set(this.#journal.slice(at - this.#first + 1));
    const put: Row[] = [];
    const gone: string[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row === undefined) gone.push(id);
      else put.push(row);
    }
    return { position: here, message: { kind: "change", put, gone } };
  }

  #read(position: string): number | undefined {
    const [epoch, number = ""] = position.split(".");
    return epoch === this.#epoch && /^\d+$/u.test(number) ? Number(number) : undefined;
  }

  #note(id: string): void {
    this.#journal.push(id);
    // Twice as long before it is cut, so that cutting costs little for each change.
    if (this.#journal.length > 2 * JOURNAL_MAX) {
      const cut = this.#journal.length - JOURNAL_MAX;
      this.#journal = this.#journal.slice(cut);
      this.#first += cut;
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
