import { eventKeyOf, parseCloudEvent } from "../cloud-event.ts";
import type { Consumer, Delivery } from "../consumer.ts";
import { DEAD_LETTERS_MAX } from "../dead-letter.ts";
import type { DeadLetter } from "../dead-letter.ts";
import { InvalidEventError } from "../broker-errors.ts";

interface Entry {
  readonly body: Uint8Array;
  readonly deliveries: number;
}

const NEVER = new AbortController().signal;

/** The messages of one subscription in memory: a queue per key, and the keys that are ready. */
export class MemoryQueue {
  readonly #lines = new Map<string, Entry[]>();
  readonly #ready: string[] = [];
  readonly #consumers: Consumer[] = [];
  readonly #deadLetters: DeadLetter[] = [];
  #keyless = 0;
  #isServing = false;
  #waiting = 0;

  /** The number of messages that wait for a consumer. */
  get waiting(): number {
    return this.#waiting;
  }

  get deadLetters(): readonly DeadLetter[] {
    return this.#deadLetters;
  }

  /** Appends a message to the queue of its key. */
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
    this.dispatch();
  }

  /** Adds a consumer; it receives messages from now on. */
  addConsumer(consumer: Consumer): void {
    this.#consumers.push(consumer);
    this.dispatch();
  }

  /** Removes a consumer; it receives no further messages. */
  removeConsumer(consumer: Consumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at >= 0) this.#consumers.splice(at, 1);
  }

  deadLetter(deadLetter: DeadLetter): void {
    this.#deadLetters.push(deadLetter);
    if (this.#deadLetters.length > DEAD_LETTERS_MAX) this.#deadLetters.shift();
  }

  /** Removes and returns dead letters, oldest first. */
  takeDeadLetters(isSelected: (deadLetter: DeadLetter) => boolean): readonly DeadLetter[] {
    const selected = this.#deadLetters.filter(isSelected);
    const remaining = this.#deadLetters.filter((deadLetter) => !selected.includes(deadLetter));
    this.#deadLetters.splice(0, this.#deadLetters.length, ...remaining);
    return selected;
  }

  /** Dispatches ready messages asynchronously: the caller may be publishing. */
  dispatch(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    queueMicrotask(() => {
      this.#isServing = false;
      while (this.#ready.length > 0 && this.#handOut());
    });
  }

  #handOut(): boolean {
    const consumer = this.#consumers.find(({ hasCapacity }) => hasCapacity);
    const key = consumer === undefined ? undefined : this.#ready.shift();
    if (consumer === undefined || key === undefined) return false;
    // Moves the consumer to the end: round robin.
    this.removeConsumer(consumer);
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
      nack: async () => {
        line.unshift({ body: entry.body, deliveries });
        this.#waiting++;
      },
    };
  }

  #unlock(key: string, line: readonly Entry[]): void {
    if (line.length === 0) this.#lines.delete(key);
    else this.#ready.push(key);
    this.dispatch();
  }
}

/** Prefixed, so that a key never collides with the generated key of a message without one. */
function keyIn(body: Uint8Array): string | undefined {
  try {
    const key = eventKeyOf(parseCloudEvent(body));
    return key === undefined ? undefined : `=${key}`;
  } catch (error) {
    if (error instanceof InvalidEventError) return undefined;
    throw error;
  }
}
