import { keyOf, parseEvent } from "../cloud-event.ts";
import type { Consumer, Delivery } from "../consumer.ts";
import { LETTERS_MAX } from "../dead-letter.ts";
import type { DeadLetter } from "../dead-letter.ts";
import { InvalidEvent } from "../errors.ts";

interface Entry {
  readonly body: Uint8Array;
  readonly deliveries: number;
}

const NEVER = new AbortController().signal;

/** The messages of one subscription in memory: a line per key, and the keys whose turn it is. */
export class MemoryQueue {
  readonly #lines = new Map<string, Entry[]>();
  readonly #ready: string[] = [];
  readonly #consumers: Consumer[] = [];
  readonly #letters: DeadLetter[] = [];
  #keyless = 0;
  #isServing = false;
  #waiting = 0;

  /** How many messages wait for a consumer. */
  get waiting(): number {
    return this.#waiting;
  }

  get letters(): readonly DeadLetter[] {
    return this.#letters;
  }

  /** Adds a message at the end of its key's line. */
  push(body: Uint8Array): void {
    const key = keyIn(body) ?? `${++this.#keyless}`;
    const line = this.#lines.get(key);
    this.#waiting++;
    if (line !== undefined) {
      line.push({ body, deliveries: 0 });
      return;
    }
    this.#lines.set(key, [{ body, deliveries: 0 }]);
    this.#ready.push(key);
    this.serve();
  }

  /** Takes a consumer in; it gets messages from now on. */
  join(consumer: Consumer): void {
    this.#consumers.push(consumer);
    this.serve();
  }

  /** Lets a consumer go; it gets nothing any more. */
  leave(consumer: Consumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at >= 0) this.#consumers.splice(at, 1);
  }

  bury(letter: DeadLetter): void {
    this.#letters.push(letter);
    if (this.#letters.length > LETTERS_MAX) this.#letters.shift();
  }

  /** Takes dead letters out, oldest first. */
  unearth(isWanted: (letter: DeadLetter) => boolean): readonly DeadLetter[] {
    const wanted = this.#letters.filter(isWanted);
    const kept = this.#letters.filter((letter) => !wanted.includes(letter));
    this.#letters.splice(0, this.#letters.length, ...kept);
    return wanted;
  }

  /** Hands out what can be, soon: not inside of the caller, who may be publishing. */
  serve(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    queueMicrotask(() => {
      this.#isServing = false;
      while (this.#ready.length > 0 && this.#handOut());
    });
  }

  #handOut(): boolean {
    const consumer = this.#consumers.find(({ hasRoom }) => hasRoom);
    const key = consumer === undefined ? undefined : this.#ready.shift();
    if (consumer === undefined || key === undefined) return false;
    // To the end of the row, so that consumers take turns.
    this.leave(consumer);
    this.#consumers.push(consumer);
    const line = this.#lines.get(key) ?? [];
    const entry = line.shift();
    if (entry === undefined) return true;
    this.#waiting--;
    void consumer.accept(this.#delivery(line, entry)).then(() => this.#unlock(key, line));
    return true;
  }

  #delivery(line: Entry[], entry: Entry): Delivery {
    const deliveries = entry.deliveries + 1;
    return {
      body: entry.body,
      deliveries,
      lost: NEVER,
      recalled: NEVER,
      ack: () => Promise.resolve(),
      giveBack: async () => {
        line.unshift({ body: entry.body, deliveries });
        this.#waiting++;
      },
    };
  }

  #unlock(key: string, line: readonly Entry[]): void {
    if (line.length === 0) this.#lines.delete(key);
    else this.#ready.push(key);
    this.serve();
  }
}

/** Prefixed, so that no key looks like one of a message that has none. */
function keyIn(body: Uint8Array): string | undefined {
  try {
    const key = keyOf(parseEvent(body));
    return key === undefined ? undefined : `=${key}`;
  } catch (error) {
    if (error instanceof InvalidEvent) return undefined;
    throw error;
  }
}
