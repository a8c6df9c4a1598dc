import { elapsed } from "../runtime/within.ts";
import type { Arrival } from "./member.ts";

/** A change that a message is expected for. */
export interface Change {
  readonly id: string;
  readonly generation: number;
  readonly time: number;
}

const POLL_MS = 20;
const PATIENCE_MS = 60_000;

/** What subscribers got, of all Sentinels together. */
export class Arrivals {
  /** `id generation` → when, in the order in which they were heard of. */
  readonly #times = new Map<string, number[]>();
  #count = 0;
  #latest = 0;
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;

  readonly add = ({ id, generation, time }: Arrival): void => {
    const key = `${id} ${generation}`;
    const times = this.#times.get(key);
    if (times === undefined) this.#times.set(key, [time]);
    else times.push(time);
    this.#count += 1;
    this.#latest = Math.max(this.#latest, time);
    if (this.#count === this.#awaited?.count) this.#awaited.resolve();
  };

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** When the last one came. */
  get latest(): number {
    return this.#latest;
  }

  /** Resolves right when there are so many more. */
  more(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count: this.#count + count, resolve };
    return promise;
  }

  /** How many of these changes have a message. */
  arrived(changes: readonly Change[]): number {
    return changes.filter((change) => this.isAfter(change, 0)).length;
  }

  /** Whether a message for a change came after a time. */
  isAfter(change: Change, time: number): boolean {
    return this.#firstAfter(change, time) !== undefined;
  }

  /** When the first message for each of these came; waits for those that are not there yet. */
  all(changes: readonly Change[]): Promise<readonly number[]> {
    return this.allAfter(changes, 0);
  }

  /** The same for the first message after a time. */
  async allAfter(changes: readonly Change[], time: number): Promise<readonly number[]> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const times = changes.flatMap((change) => this.#firstAfter(change, time) ?? []);
      if (times.length === changes.length) return times;
      if (performance.now() > end) throw new Error(`${changes.length - times.length} changes have no message`);
      await elapsed(POLL_MS);
    }
  }

  /** How many messages for these came again within a time in which nothing was due. */
  repeated(changes: readonly Change[], withinMs: number): number {
    return changes
      .map((change) => {
        const [first = 0, ...later] = this.#of(change).toSorted((a, b) => a - b);
        return later.filter((time) => time - first < withinMs).length;
      })
      .reduce((sum, count) => sum + count, 0);
  }

  #firstAfter(change: Change, time: number): number | undefined {
    return this.#of(change).find((each) => each > time);
  }

  #of({ id, generation }: Change): readonly number[] {
    return this.#times.get(`${id} ${generation}`) ?? [];
  }
}
