import { toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import type { Connection } from "rabbitmq-client";
import type { Consumer } from "../consumer.ts";
import { RabbitmqMembers } from "./rabbitmq-members.ts";
import { RABBITMQ_SLOTS } from "./rabbitmq-names.ts";
import type { RabbitmqNames } from "./rabbitmq-names.ts";
import { RabbitmqSlot } from "./rabbitmq-slot.ts";
import { declareSubscription } from "./rabbitmq-topology.ts";
import type { RabbitmqTopology } from "./rabbitmq-topology.ts";

/** What consuming a subscription takes. */
export interface RabbitmqSubscriptionOptions {
  readonly connection: Connection;
  readonly names: RabbitmqNames;
  readonly topology: RabbitmqTopology;
  readonly consumer: Consumer;
  readonly prefetch: number;
  /** How often a consumer looks whether it should leave slots to others. */
  readonly rebalanceMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** All slots of a subscription. The server hands every slot to whoever came first, so whoever has more than its share lets some go. */
export class RabbitmqSubscription {
  readonly #options: RabbitmqSubscriptionOptions;
  readonly #slots: readonly RabbitmqSlot[];
  readonly #stopping = new AbortController();
  #balancing: Promise<void> = Promise.resolve();

  constructor(options: RabbitmqSubscriptionOptions) {
    const { clock, connection, consumer, logger, names, prefetch } = options;
    const declare = (): Promise<void> => this.#declare();
    this.#options = options;
    this.#slots = names.queues.map(
      (queue) => new RabbitmqSlot({ connection, queue, consumer, prefetch, clock, logger, declare }),
    );
  }

  /** Resolves when all queues are there and consumed. */
  async start(): Promise<void> {
    await this.#declare();
    await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#balancing = this.#balance();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const slot of this.#slots) slot.recall();
    await this.#options.consumer.close();
    await Promise.all(this.#slots.map((slot) => slot.stop()));
    await this.#balancing;
  }

  async #declare(): Promise<void> {
    const { connection, names, topology } = this.#options;
    const channel = await connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", () => {}); // what was asked for rejects with it
    try {
      await declareSubscription(channel, names, topology);
    } finally {
      await channel.close();
    }
  }

  async #balance(): Promise<void> {
    const { clock, connection, logger, names, rebalanceMs } = this.#options;
    const { signal } = this.#stopping;
    const members = new RabbitmqMembers(connection, names.members);
    while (!signal.aborted) {
      try {
        await this.#leaveSurplus(members);
      } catch (error) {
        if (!signal.aborted) logger.debug("slots not balanced", { error: toError(error) });
      }
      await clock.sleep(rebalanceMs, signal).catch(() => {});
    }
    await members.close();
  }

  async #leaveSurplus(members: RabbitmqMembers): Promise<void> {
    const share = Math.ceil(RABBITMQ_SLOTS / (await members.count()));
    const surplus = this.#slots.filter(({ isActive }) => isActive).slice(share);
    await Promise.all(surplus.map((slot) => slot.yield()));
    if (surplus.length > 0) this.#options.logger.debug("slots left to others", { slots: surplus.length });
  }
}
