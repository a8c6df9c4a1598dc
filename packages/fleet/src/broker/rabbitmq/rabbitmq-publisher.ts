import { toError } from "@levelset/core/internal";
import type { Channel, Connection } from "rabbitmq-client";
import type { BrokerWorld } from "../broker.ts";
import { EVENT_CONTENT_TYPE } from "../cloud-event.ts";
import { TopologyMismatch, UnroutableMessage } from "../broker-errors.ts";
import { retryUntil } from "../retry-until.ts";
import { declareRabbitmqTopic } from "./rabbitmq-topology.ts";
import type { RabbitmqTopology } from "./rabbitmq-topology.ts";

/** Where to publish a message. */
export interface PublishRoute {
  readonly exchange: string;
  readonly routingKey: string;
  /**
   * Whether the exchange belongs to a topic and is declared before publishing; exchanges of subscriptions exist
   * already.
   */
  readonly isTopic: boolean;
  /** A second routing key, which routes like the first but is removed from delivered messages (BCC). */
  readonly partition?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link RabbitmqPublisher}. */
export interface RabbitmqPublisherOptions extends BrokerWorld {
  readonly connection: Connection;
  readonly topology: RabbitmqTopology;
  readonly timeoutMs: number;
}

interface OpenChannel {
  readonly channel: Channel;
  /** Rejects when the channel closes: outstanding confirms never arrive then. */
  readonly closed: Promise<never>;
}

/** Publishes on a channel with publisher confirms, and retries on a new channel after a disconnect. */
export class RabbitmqPublisher {
  readonly #options: RabbitmqPublisherOptions;
  readonly #declared = new Set<string>();
  /** IDs of messages that the server returned as unroutable. */
  readonly #returned = new Set<string>();
  #count = 0;
  #channel: Promise<OpenChannel> | undefined;
  #isClosed = false;

  constructor(options: RabbitmqPublisherOptions) {
    this.#options = options;
  }

  /**
   * Resolves once the server has confirmed the message for every bound queue. Rejects with `UnroutableMessage` if no
   * queue is bound, and with `BrokerUnavailableError` after the publish timeout.
   */
  async send(route: PublishRoute, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { clock, random, timeoutMs } = this.#options;
    const what = `publishing to ${route.exchange}`;
    const isOver = (): boolean => this.#isClosed;
    await retryUntil({ clock, random, timeoutMs, what, signal, isPermanent, isStopped: isOver }, () =>
      this.#sendOnce(route, body),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = await this.#channel?.catch(() => undefined);
    await open?.channel.close();
  }

  async #sendOnce(
    { exchange, routingKey, partition, isTopic, headers }: PublishRoute,
    body: Uint8Array,
  ): Promise<void> {
    const { channel, closed } = await this.#open();
    if (isTopic && !this.#declared.has(exchange)) {
      await declareRabbitmqTopic(channel, exchange, this.#options.topology);
      this.#declared.add(exchange);
    }
    this.#count += 1;
    const messageId = `${this.#count}`;
    const envelope = {
      exchange,
      routingKey,
      messageId,
      mandatory: true,
      durable: true,
      contentType: EVENT_CONTENT_TYPE,
      // The server removes this header. Header values other than strings would break third-party consumers.
      headers: { ...headers, ...(partition === undefined ? {} : { BCC: [partition] }) },
    };
    try {
      await Promise.race([channel.basicPublish(envelope, Buffer.from(body)), closed]);
      // The server returns a message before it confirms it; the client emits the return in the next turn of the event
      // loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#returned.has(messageId)) throw new UnroutableMessage(unroutable(exchange));
    } finally {
      this.#returned.delete(messageId);
    }
  }

  async #open(): Promise<OpenChannel> {
    const before = this.#channel;
    const open = await before?.catch(() => undefined);
    if (open?.channel.active === true) return open;
    // Of the callers that waited for the same failed channel, the first opens a new one.
    if (this.#channel === before) this.#channel = this.#acquire();
    return this.#channel === undefined ? this.#open() : this.#channel;
  }

  async #acquire(): Promise<OpenChannel> {
    this.#declared.clear();
    const channel = await this.#options.connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", (error: unknown) => {
      this.#options.logger.warn("publishing channel closed", { err: toError(error) });
    });
    channel.on("basic.return", ({ messageId }) => {
      if (messageId !== undefined) this.#returned.add(messageId);
    });
    const closed = new Promise<never>((_, reject) => {
      channel.once("close", () => reject(new Error("the channel closed before the server confirmed the message")));
    });
    closed.catch(() => {}); // prevents an unhandled rejection
    await channel.confirmSelect();
    return { channel, closed };
  }
}

/** Returns true for errors that a retry cannot fix: the object exists with different settings, or access is denied. */
export function isPermanent(error: Error): boolean {
  if (error instanceof UnroutableMessage || error instanceof TopologyMismatch) return true;
  const code = "code" in error ? error.code : undefined;
  return code === "PRECONDITION_FAILED" || code === "ACCESS_REFUSED" || code === "NOT_ALLOWED";
}

function unroutable(exchange: string): string {
  const hint = "start an adapter that subscribes to the topic, or add a matching binding to its queue";
  return `no queue is bound to exchange ${exchange} for this message: ${hint}`;
}
