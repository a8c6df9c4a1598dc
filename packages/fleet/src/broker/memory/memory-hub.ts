import { BrokerUnavailableError } from "../broker-errors.ts";
import { MemoryQueue } from "./memory-queue.ts";

/** Topics and subscriptions shared by in-process brokers. Lost when the process ends. */
export class MemoryHub {
  readonly #topics = new Map<string, Map<string, MemoryQueue>>();
  readonly #waitingMax: number;

  constructor(options: { readonly waitingMax?: number } = {}) {
    this.#waitingMax = options.waitingMax ?? 100_000;
  }

  /** Returns the queue of a subscription; creates it on the first call. */
  queue(topic: string, subscription: string): MemoryQueue {
    const queues = this.#topics.get(topic) ?? new Map<string, MemoryQueue>();
    this.#topics.set(topic, queues);
    const queue = queues.get(subscription) ?? new MemoryQueue();
    queues.set(subscription, queue);
    return queue;
  }

  /** Returns the queue of a subscription, or undefined if it was never subscribed to. */
  find(topic: string, subscription: string): MemoryQueue | undefined {
    return this.#topics.get(topic)?.get(subscription);
  }

  /** Appends a message to all subscriptions of a topic, or to none if one of them is full. */
  push(topic: string, body: Uint8Array): void {
    const queues = this.#topics.get(topic) ?? new Map<string, MemoryQueue>();
    for (const [subscription, queue] of queues) {
      if (queue.waiting >= this.#waitingMax)
        throw new BrokerUnavailableError(
          `subscription ${subscription} of ${topic} is full (${queue.waiting} messages)`,
        );
    }
    for (const queue of queues.values()) queue.push(body);
  }
}
