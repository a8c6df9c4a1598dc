import type { StoredRecord, StoreKey } from "./contract.ts";

/** Follows `/` in the order of characters: every id of a namespace is below the namespace with this at its end. */
const AFTER_SLASH = "0";

/** A run of neighbours is split when it grows beyond this, so that a new record moves few others. */
const RUN_MAX = 512;

/** Neighbours in the order of their ids, which stand beside them at the same index. */
interface Run {
  readonly ids: string[];
  readonly records: StoredRecord[];
}

/**
 * The objects of one resource in the order of `namespace/name`, which is the order of a list. Order is kept with each write, and a
 * copy shares every run of neighbours until one of the two changes it.
 */
export class SortedRecords {
  /** In order; none is empty. */
  readonly #runs: Run[];
  /** Those that no copy shares. */
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
    const index = firstNotBelow(run.ids, id);
    return run.ids[index] === id ? run.records[index] : undefined;
  }

  /** All records, or those of one namespace. Later changes do not show in what was returned. */
  list(namespace?: string): readonly StoredRecord[] {
    if (namespace === undefined) return this.#runs.flatMap(({ records }) => records);
    const [from, to] = [`${namespace}/`, namespace + AFTER_SLASH];
    const runs = this.#runs.slice(this.#runOf(from), this.#runOf(to) + 1);
    return runs.flatMap(({ ids, records }) => records.slice(firstNotBelow(ids, from), firstNotBelow(ids, to)));
  }

  /** Adds a record, or replaces the one of the same name. */
  put(record: StoredRecord): void {
    const id = idOf(record.key);
    const place = this.#runOf(id);
    const { ids, records } = this.#ownRun(place);
    const index = firstNotBelow(ids, id);
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
    const index = firstNotBelow(run.ids, id);
    run.ids.splice(index, 1);
    run.records.splice(index, 1);
    this.#size--;
    if (run.ids.length > 0) return;
    this.#runs.splice(place, 1);
    this.#own.delete(run);
  }

  /** A copy that goes its own way. Costs next to nothing until one of the two changes. */
  copy(): SortedRecords {
    this.#own.clear();
    return new SortedRecords([...this.#runs], this.#size);
  }

  /** The run at this place, as one that may be changed. */
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

  /** The place of the run in which an id is, or would be: the last that does not begin after it, else the first. */
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

/** Where the first of the ordered ids is that is not below `id`. */
function firstNotBelow(ids: readonly string[], id: string): number {
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
