import { sleep } from "../runtime/with-timeout.ts";
import type { PulseDelivery } from "./fleet-process.ts";

/** A change for which a message is expected. */
export interface ExpectedPulse {
  readonly id: string;
  readonly generation: number;
  readonly time: number;
}

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Messages that subscribers of all Sentinels received. */
export class PulseDeliveries {
  /** `id generation` → times, in order of arrival. */
  readonly #times = new Map<string, number[]>();
  #count = 0;
  #latest = 0;
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;

  readonly add = ({ id, generation, time }: PulseDelivery): void => {
    const key = `${id} ${generation}`;
    const times = this.#times.get(key);
    if (times === undefined) this.#times.set(key, [time]);
    else times.push(time);
    this.#count += 1;
    this.#latest = Math.max(this.#latest, time);
    if (this.#count === this.#awaited?.count) this.#awaited.resolve();
  };

  /** Number of messages. */
  get count(): number {
    return this.#count;
  }

  /** Time of the last message. */
  get latest(): number {
    return this.#latest;
  }

  /** Resolves as soon as `count` more messages have arrived. */
  untilMore(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count: this.#count + count, resolve };
    return promise;
  }

  /** Returns how many of these changes have a message. */
  arrived(changes: readonly ExpectedPulse[]): number {
    return changes.filter((change) => this.isAfter(change, 0)).length;
  }

  /** Returns whether a message for a change arrived after a time. */
  isAfter(change: ExpectedPulse, time: number): boolean {
    return this.#firstAfter(change, time) !== undefined;
  }

  /** Waits for a message for each change, and returns the times of the first ones. */
  untilAll(changes: readonly ExpectedPulse[]): Promise<readonly number[]> {
    return this.allAfter(changes, 0);
  }

  /** Like `untilAll`, for the first message after a time. */
  async allAfter(changes: readonly ExpectedPulse[], time: number): Promise<readonly number[]> {
    const end = performance.now() + TIMEOUT_MS;
    for (;;) {
      const times = changes.flatMap((change) => this.#firstAfter(change, time) ?? []);
      if (times.length === changes.length) return times;
      if (performance.now() > end) throw new Error(`${changes.length - times.length} changes have no message`);
      await sleep(POLL_MS);
    }
  }

  /** Returns the number of duplicate messages within a time in which no refresh was due. */
  repeated(changes: readonly ExpectedPulse[], withinMs: number): number {
    return changes
      .map((change) => {
        const [first = 0, ...later] = this.#of(change).toSorted((a, b) => a - b);
        return later.filter((time) => time - first < withinMs).length;
      })
      .reduce((sum, count) => sum + count, 0);
  }

  #firstAfter(change: ExpectedPulse, time: number): number | undefined {
    return this.#of(change).find((each) => each > time);
  }

  #of({ id, generation }: ExpectedPulse): readonly number[] {
    return this.#times.get(`${id} ${generation}`) ?? [];
  }
}
