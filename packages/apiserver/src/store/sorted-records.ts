import type { StoredRecord, StoreKey } from "./store.ts";

/** The character after `/`. `namespace + AFTER_SLASH` is the exclusive upper bound of all ids of the namespace. */
const AFTER_SLASH = "0";

/** Maximum size of a run. Longer runs are split, which bounds the cost of an insertion. */
const RUN_MAX = 512;

/** Consecutive records sorted by id. `ids[i]` is the id of `records[i]`. */
interface Run {
  readonly ids: string[];
  readonly records: StoredRecord[];
}

/**
 * The objects of one resource, sorted by `namespace/name` (the order of a list). Copies are copy-on-write: a run is
 * shared until one of the two changes it.
 */
export class SortedRecords {
  /** Sorted; no run is empty. */
  readonly #runs: Run[];
  /** Runs that are not shared with a copy and can be changed in place. */
  readonly #own: Set<Run> = new Set();
  #size: number;

  constructor(runs: Run[] = [], size = 0) {
    this.#runs = runs;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: StoreKey): StoredRecord | undefined {
    const id = idOf(key);
    const run = this.#runs[this.#runOf(id)];
    if (run === undefined) return undefined;
    const index = lowerBound(run.ids, id);
    return run.ids[index] === id ? run.records[index] : undefined;
  }

  /** Returns all records, or those of one namespace. The array does not change later. */
  list(namespace?: string): readonly StoredRecord[] {
    if (namespace === undefined) return this.#runs.flatMap(({ records }) => records);
    const [from, to] = [`${namespace}/`, namespace + AFTER_SLASH];
    const runs = this.#runs.slice(this.#runOf(from), this.#runOf(to) + 1);
    return runs.flatMap(({ ids, records }) => records.slice(lowerBound(ids, from), lowerBound(ids, to)));
  }

  /** Adds a record, or replaces the one with the same namespace and name. */
  put(record: StoredRecord): void {
    const id = idOf(record.key);
    const place = this.#runOf(id);
    const { ids, records } = this.#ownRun(place);
    const index = lowerBound(ids, id);
    if (ids[index] === id) {
      records[index] = record;
      return;
    }
    ids.splice(index, 0, id);
    records.splice(index, 0, record);
    this.#size++;
    if (ids.length > RUN_MAX) this.#split(place);
  }

  remove(key: StoreKey): void {
    const id = idOf(key);
    const place = this.#runOf(id);
    if (this.get(key) === undefined) return;
    const run = this.#ownRun(place);
    const index = lowerBound(run.ids, id);
    run.ids.splice(index, 1);
    run.records.splice(index, 1);
    this.#size--;
    if (run.ids.length > 0) return;
    this.#runs.splice(place, 1);
    this.#own.delete(run);
  }

  /** Returns an independent copy. Runs are copied when one of the two changes them. */
  copy(): SortedRecords {
    this.#own.clear();
    return new SortedRecords([...this.#runs], this.#size);
  }

  /** Returns the run at an index for writing; copies it first if it is shared. */
  #ownRun(place: number): Run {
    const found = this.#runs[place];
    if (found !== undefined && this.#own.has(found)) return found;
    const run: Run = { ids: [...(found?.ids ?? [])], records: [...(found?.records ?? [])] };
    this.#runs[place] = run;
    this.#own.add(run);
    return run;
  }

  #split(place: number): void {
    const { ids, records } = this.#ownRun(place);
    const half = ids.length >>> 1;
    const next: Run = { ids: ids.splice(half), records: records.splice(half) };
    this.#own.add(next);
    this.#runs.splice(place + 1, 0, next);
  }

  /** Returns the index of the run that contains the id, or into which it would be inserted. */
  #runOf(id: string): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.ids[0] ?? "") <= id) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }
}

/** Returns the index of the first id that is greater than or equal to `id` (binary search). */
function lowerBound(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? "") < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function idOf(key: StoreKey): string {
  return `${key.namespace}/${key.name}`;
}
