import { toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import type { Connection } from "rabbitmq-client";
import type { Consumer } from "../consumer.ts";
import { RabbitmqConsumerCount } from "./rabbitmq-consumer-count.ts";
import { RABBITMQ_PARTITIONS } from "./rabbitmq-names.ts";
import type { RabbitmqNames } from "./rabbitmq-names.ts";
import { RabbitmqPartition } from "./rabbitmq-partition.ts";
import { declareRabbitmqSubscription } from "./rabbitmq-topology.ts";
import type { RabbitmqTopology } from "./rabbitmq-topology.ts";

/** Options of {@link RabbitmqSubscription}. */
export interface RabbitmqSubscriptionOptions {
  readonly connection: Connection;
  readonly names: RabbitmqNames;
  readonly topology: RabbitmqTopology;
  readonly consumer: Consumer;
  readonly prefetch: number;
  /** How often a consumer checks whether to hand over partitions. */
  readonly rebalanceMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Consumes all partitions of a subscription. The server activates the first consumer of each queue, so a consumer with
 * more than its share releases some.
 */
export class RabbitmqSubscription {
  readonly #options: RabbitmqSubscriptionOptions;
  readonly #partitions: readonly RabbitmqPartition[];
  readonly #stopping = new AbortController();
  #balancing: Promise<void> = Promise.resolve();

  constructor(options: RabbitmqSubscriptionOptions) {
    const { clock, connection, consumer, logger, names, prefetch } = options;
    const declare = (): Promise<void> => this.#declare();
    this.#options = options;
    this.#partitions = names.queues.map(
      (queue) => new RabbitmqPartition({ connection, queue, consumer, prefetch, clock, logger, declare }),
    );
  }

  /** Resolves when all queues are declared and consumed. */
  async start(): Promise<void> {
    await this.#declare();
    await Promise.all(this.#partitions.map((partition) => partition.start()));
    this.#balancing = this.#balance();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const partition of this.#partitions) partition.recall();
    await this.#options.consumer.close();
    await Promise.all(this.#partitions.map((partition) => partition.stop()));
    await this.#balancing;
  }

  async #declare(): Promise<void> {
    const { connection, names, topology } = this.#options;
    const channel = await connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", () => {}); // the failed operation rejects with this error
    try {
      await declareRabbitmqSubscription(channel, names, topology);
    } finally {
      await channel.close();
    }
  }

  async #balance(): Promise<void> {
    const { clock, connection, logger, names, rebalanceMs } = this.#options;
    const { signal } = this.#stopping;
    const members = new RabbitmqConsumerCount(connection, names.members);
    while (!signal.aborted) {
      try {
        await this.#leaveSurplus(members);
      } catch (error) {
        if (!signal.aborted) logger.debug("partitions not rebalanced", { err: toError(error) });
      }
      await clock.sleep(rebalanceMs, signal).catch(() => {});
    }
    await members.close();
  }

  async #leaveSurplus(members: RabbitmqConsumerCount): Promise<void> {
    const share = Math.ceil(RABBITMQ_PARTITIONS / (await members.count()));
    const surplus = this.#partitions.filter(({ isActive }) => isActive).slice(share);
    await Promise.all(surplus.map((partition) => partition.release()));
    if (surplus.length > 0)
      this.#options.logger.debug("partitions released to other consumers", { partitions: surplus.length });
  }
}
