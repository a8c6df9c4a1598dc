import type { Channel, Connection } from "rabbitmq-client";

/**
 * Counts the consumers of a subscription in all processes. The partition queues cannot be used for this: with single
 * active consumer, a quorum queue counts only the active one. So every consumer also consumes an empty queue.
 */
export class RabbitmqConsumerCount {
  readonly #connection: Connection;
  readonly #declaration: { readonly queue: string; readonly durable: true; readonly autoDelete: true };
  #channel: Channel | undefined;

  constructor(connection: Connection, queue: string) {
    this.#connection = connection;
    this.#declaration = { queue, durable: true, autoDelete: true };
  }

  /** Returns the number of consumers including this one. Joins on the first call, and again after a reconnect. */
  async count(): Promise<number> {
    if (this.#channel?.active !== true) this.#channel = await this.#join();
    const { consumerCount } = await this.#channel.queueDeclare(this.#declaration);
    return Math.max(1, consumerCount);
  }

  async close(): Promise<void> {
    await this.#channel?.close();
  }

  async #join(): Promise<Channel> {
    const channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", () => {}); // the failed operation rejects with this error
    try {
      const { queue } = await channel.queueDeclare(this.#declaration);
      await channel.basicConsume({ queue, noAck: true }, () => {});
      return channel;
    } catch (error) {
      await channel.close();
      throw error;
    }
  }
}
