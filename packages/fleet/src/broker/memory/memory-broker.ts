import type {
  Broker,
  BrokerHealth,
  BrokerWorld,
  Handler,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "../broker.ts";
import type { CloudEvent } from "../cloud-event.ts";
import { Consumer } from "../consumer.ts";
import { isChosen } from "../dead-letter.ts";
import type { DeadLetterQueue } from "../dead-letter.ts";
import { checkName } from "../name.ts";
import { outgoing } from "../outgoing.ts";
import { Subscriptions } from "../subscriptions.ts";
import { MemoryHub } from "./memory-hub.ts";
import type { MemoryQueue } from "./memory-queue.ts";

/** What an in-process broker needs. */
export interface MemoryBrokerOptions extends BrokerWorld {
  /** Shared by brokers that should hear each other. Its own by default. */
  readonly hub?: MemoryHub;
}

/** A broker inside of the process: nothing survives it, and under a virtual clock every run is alike. */
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
    checkName("topic", topic);
    this.#hub.push(topic, outgoing(topic, event, options).body);
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: Handler,
    settings?: SubscribeOptions,
  ): Promise<Subscription> {
    this.#subscriptions.check();
    const { clock, random, logger } = this.#options;
    const queue = this.#hub.queue(checkName("topic", topic), checkName("subscription", subscription));
    const consumer = new Consumer({
      topic,
      subscription,
      handler,
      settings,
      clock,
      random,
      logger,
      bury: async (letter) => queue.bury(letter),
      onRoom: () => queue.serve(),
    });
    queue.join(consumer);
    return this.#subscriptions.add(async () => {
      queue.leave(consumer);
      await consumer.close();
    });
  }

  deadLetters(topic: string, subscription: string): DeadLetterQueue {
    checkName("topic", topic);
    checkName("subscription", subscription);
    const find = (): MemoryQueue | undefined => this.#hub.find(topic, subscription);
    return {
      list: async ({ limit = 100 } = {}) => find()?.letters.slice(0, limit) ?? [],
      replay: async (choice) => {
        const queue = find();
        const letters = queue?.unearth(({ id }) => isChosen(choice, id)) ?? [];
        for (const { body } of letters) queue?.push(body);
        return letters.length;
      },
      discard: async (choice) => find()?.unearth(({ id }) => isChosen(choice, id)).length ?? 0,
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
