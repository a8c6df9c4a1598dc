import { BACKOFFS, toError, whenAborted } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import type { AsyncMessage, Channel, Connection } from "rabbitmq-client";
import type { Consumer, Delivery } from "../consumer.ts";
import { withDeadline } from "../with-deadline.ts";
import { bytesOf } from "./rabbitmq-body.ts";

/** The timeout of starting a consumer: after a restart, queues recover one by one. */
const OPEN_MS = 15_000;
const CLOSE_MS = 5_000;

/** Options of {@link RabbitmqPartition}. */
export interface RabbitmqPartitionOptions {
  readonly connection: Connection;
  readonly queue: string;
  readonly consumer: Consumer;
  /** The maximum number of unacknowledged messages. */
  readonly prefetch: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Declares the queue if it is missing. */
  readonly declare: () => Promise<void>;
}

/**
 * One channel that consumes a queue (single active consumer): while it is the active one, it alone gets the messages.
 */
interface ChannelSession {
  readonly channel: Channel;
  /** Aborts when the channel is closed. */
  readonly lost: AbortController;
  readonly recalled: AbortController;
  readonly held: Set<Promise<void>>;
  /** Whether it is known to be the active consumer. */
  isActive: boolean;
}

/**
 * Consumes the queue of one partition. The server delivers to a single active consumer, and activates the next one when
 * that consumer's channel closes, after requeueing all unacknowledged messages in order. One rule therefore preserves
 * order: a channel is closed only after its handlers ended.
 */
export class RabbitmqPartition {
  readonly #options: RabbitmqPartitionOptions;
  readonly #stopping = new AbortController();
  #session: ChannelSession | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: RabbitmqPartitionOptions) {
    this.#options = options;
  }

  /** Whether this process is the active consumer of the queue, as far as it knows: it received a message. */
  get isActive(): boolean {
    return this.#session?.isActive === true;
  }

  /** Starts consuming. Resolves when the server confirmed; from then on it resumes after server restarts. */
  async start(): Promise<void> {
    const session = await this.#open();
    this.#loop = this.#keepConsuming(session);
  }

  /** Moves to the end of the server's list of consumers, so that the next one becomes active. */
  async release(): Promise<void> {
    if (this.#session !== undefined) await this.#endSession(this.#session);
  }

  /** Starts to leave: no further handlers start, and running ones may finish. */
  recall(): void {
    this.#stopping.abort();
    this.#session?.recalled.abort();
  }

  /** Stops consuming; messages still being handled are lost to the next consumer. */
  async stop(): Promise<void> {
    this.recall();
    if (this.#session !== undefined) await this.#close(this.#session);
    await this.#loop;
  }

  async #keepConsuming(first: ChannelSession): Promise<void> {
    for (
      let session: ChannelSession | undefined = first;
      !this.#stopping.signal.aborted;
      session = await this.#reopen()
    ) {
      if (session !== undefined) await whenAborted(session.lost.signal);
    }
  }

  async #reopen(): Promise<ChannelSession | undefined> {
    const { clock, declare, logger, queue } = this.#options;
    if (this.#stopping.signal.aborted) return undefined;
    try {
      const session = await this.#open();
      if (this.#stopping.signal.aborted) await this.#close(session);
      return session;
    } catch (thrown) {
      const error = toError(thrown);
      logger.debug("queue not consumed", { queue, err: error });
      if ("code" in error && error.code === "NOT_FOUND") await declare().catch(() => {});
      await clock.sleep(BACKOFFS.rabbitmqChannel.firstMs, this.#stopping.signal).catch(() => {});
      return undefined;
    }
  }

  async #open(): Promise<ChannelSession> {
    const { clock, connection, logger, prefetch, queue } = this.#options;
    const channel = await connection.acquire({ emitErrorsFromChannel: true });
    const session: ChannelSession = {
      channel,
      lost: new AbortController(),
      recalled: new AbortController(),
      held: new Set(),
      isActive: false,
    };
    channel.once("close", () => {
      session.recalled.abort();
      session.lost.abort();
    });
    channel.on("error", (error: unknown) => logger.warn("channel closed", { queue, err: toError(error) }));
    channel.on("basic.cancel", () => void this.#endSession(session));
    this.#session = session;
    const consuming = channel
      .basicQos({ prefetchCount: prefetch })
      .then(() => channel.basicConsume({ queue }, (message) => this.#onMessage(session, message)));
    const limit = { clock, ms: OPEN_MS, what: `consuming ${queue}`, signal: session.lost.signal };
    await withDeadline(limit, consuming).catch((error: unknown) => {
      void this.#close(session);
      throw error;
    });
    return session;
  }

  #onMessage(session: ChannelSession, message: AsyncMessage): void {
    session.isActive = true;
    // The message is requeued when the channel closes, which is imminent.
    if (session.recalled.signal.aborted) return;
    const held = this.#options.consumer.accept(this.#deliveryOf(session, message));
    session.held.add(held);
    void held.finally(() => session.held.delete(held));
  }

  #deliveryOf(session: ChannelSession, message: AsyncMessage): Delivery {
    const { deliveryTag } = message;
    const { channel, lost, recalled } = session;
    return {
      body: bytesOf(message.body),
      deliveries: 1 + Number(message.headers?.["x-delivery-count"] ?? 0),
      lost: lost.signal,
      recalled: recalled.signal,
      ack: async () => channel.basicAck({ deliveryTag }),
      // Requeueing messages individually would change the order: all are requeued when the channel closes.
      nack: async () => {
        if (!recalled.signal.aborted) void this.#endSession(session);
      },
    };
  }

  async #endSession(session: ChannelSession): Promise<void> {
    session.recalled.abort();
    await Promise.all(session.held);
    await this.#close(session);
  }

  /** An unresponsive server keeps the channel until the connection ends; we have left it in any case. */
  async #close({ channel, lost }: ChannelSession): Promise<void> {
    const limit = { clock: this.#options.clock, ms: CLOSE_MS, what: "closing a channel" };
    await withDeadline(limit, channel.close()).catch(() => lost.abort());
  }
}
