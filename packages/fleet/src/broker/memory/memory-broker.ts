import type {
  Broker,
  BrokerHealth,
  BrokerWorld,
  MessageHandler,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "../broker.ts";
import type { CloudEvent } from "../cloud-event.ts";
import { Consumer } from "../consumer.ts";
import { isDeadLetterSelected } from "../dead-letter.ts";
import type { DeadLetterQueue } from "../dead-letter.ts";
import { checkBrokerName } from "../broker-name.ts";
import { encodeOutgoing } from "../outgoing-message.ts";
import { Subscriptions } from "../subscriptions.ts";
import { MemoryHub } from "./memory-hub.ts";
import type { MemoryQueue } from "./memory-queue.ts";

/** Options of {@link MemoryBroker}. */
export interface MemoryBrokerOptions extends BrokerWorld {
  /** Shared by brokers that exchange messages. Default: a separate hub. */
  readonly hub?: MemoryHub;
}

/**
 * A broker inside the process. Messages do not survive the process. Deterministic under a virtual clock. `publish`
 * rejects with `BrokerUnavailableError` if a subscription is full.
 */
export class MemoryBroker implements Broker {
  readonly kind = "memory";
  readonly #options: MemoryBrokerOptions;
  readonly #hub: MemoryHub;
  readonly #subscriptions = new Subscriptions();

  constructor(options: MemoryBrokerOptions) {
    this.#options = options;
    this.#hub = options.hub ?? new MemoryHub();
    options.signal.addEventListener("abort", () => void this.close(), { once: true });
  }

  async publish(topic: string, event: CloudEvent, options: PublishOptions = {}): Promise<void> {
    this.#subscriptions.check();
    checkBrokerName("topic", topic);
    this.#hub.push(topic, encodeOutgoing(topic, event, options).body);
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: MessageHandler,
    settings?: SubscribeOptions,
  ): Promise<Subscription> {
    this.#subscriptions.check();
    const { clock, random, logger } = this.#options;
    const queue = this.#hub.queue(checkBrokerName("topic", topic), checkBrokerName("subscription", subscription));
    const consumer = new Consumer({
      topic,
      subscription,
      handler,
      settings,
      clock,
      random,
      logger,
      deadLetter: async (deadLetter) => queue.deadLetter(deadLetter),
      onCapacity: () => queue.dispatch(),
    });
    queue.addConsumer(consumer);
    return this.#subscriptions.add(async () => {
      queue.removeConsumer(consumer);
      await consumer.close();
    });
  }

  deadLetters(topic: string, subscription: string): DeadLetterQueue {
    checkBrokerName("topic", topic);
    checkBrokerName("subscription", subscription);
    const find = (): MemoryQueue | undefined => this.#hub.find(topic, subscription);
    return {
      list: async ({ limit = 100 } = {}) => find()?.deadLetters.slice(0, limit) ?? [],
      replay: async (choice) => {
        const queue = find();
        const deadLetters = queue?.takeDeadLetters(({ id }) => isDeadLetterSelected(choice, id)) ?? [];
        for (const { body } of deadLetters) queue?.push(body);
        return deadLetters.length;
      },
      discard: async (choice) => find()?.takeDeadLetters(({ id }) => isDeadLetterSelected(choice, id)).length ?? 0,
    };
  }

  async health(): Promise<BrokerHealth> {
    return this.#subscriptions.isClosed ? { kind: "down", reason: "closed" } : { kind: "up" };
  }

  async close(): Promise<void> {
    await this.#subscriptions.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
