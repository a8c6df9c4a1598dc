import { BrokerUnavailable } from "../errors.ts";
import { MemoryQueue } from "./memory-queue.ts";

/** What the in-process brokers share that talk with each other: topics and their subscriptions. It ends with the process. */
export class MemoryHub {
  readonly #topics = new Map<string, Map<string, MemoryQueue>>();
  readonly #waitingMax: number;

  constructor(options: { readonly waitingMax?: number } = {}) {
    this.#waitingMax = options.waitingMax ?? 100_000;
  }

  /** The queue of a subscription, which begins with the first call. */
  queue(topic: string, subscription: string): MemoryQueue {
    const queues = this.#topics.get(topic) ?? new Map<string, MemoryQueue>();
    this.#topics.set(topic, queues);
    const queue = queues.get(subscription) ?? new MemoryQueue();
    queues.set(subscription, queue);
    return queue;
  }

  /** The queue of a subscription, if somebody ever subscribed. */
  find(topic: string, subscription: string): MemoryQueue | undefined {
    return this.#topics.get(topic)?.get(subscription);
  }

  /** Gives bytes to all subscriptions of a topic, or to none when one of them is full. */
  push(topic: string, body: Uint8Array): void {
    const queues = this.#topics.get(topic) ?? new Map<string, MemoryQueue>();
    for (const [subscription, queue] of queues) {
      if (queue.waiting >= this.#waitingMax)
        throw new BrokerUnavailable(`subscription ${subscription} of ${topic} is full: ${queue.waiting} messages wait`);
    }
    for (const queue of queues.values()) queue.push(body);
  }
}
