import type { Channel, Connection } from "rabbitmq-client";

/**
 * Counts the consumers of a subscription in all processes. The queues of the slots do not tell: of those in line, a quorum queue counts
 * only the one whose turn it is. So every consumer also consumes a queue that holds nothing.
 */
export class RabbitmqMembers {
  readonly #connection: Connection;
  readonly #declaration: { readonly queue: string; readonly durable: true; readonly autoDelete: true };
  #channel: Channel | undefined;

  constructor(connection: Connection, queue: string) {
    this.#connection = connection;
    this.#declaration = { queue, durable: true, autoDelete: true };
  }

  /** How many there are, this one included; it joins with the first call, and again after the connection broke. */
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
    channel.on("error", () => {}); // what was asked for rejects with it
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
