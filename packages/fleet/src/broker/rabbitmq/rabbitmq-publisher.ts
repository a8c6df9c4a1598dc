import { toError } from "@levelset/core";
import type { Channel, Connection } from "rabbitmq-client";
import type { BrokerWorld } from "../broker.ts";
import { EVENT_CONTENT_TYPE } from "../cloud-event.ts";
import { TopologyMismatch, UnroutableMessage } from "../errors.ts";
import { persist } from "../persist.ts";
import { declareTopic } from "./rabbitmq-topology.ts";
import type { RabbitmqTopology } from "./rabbitmq-topology.ts";

/** Where a message goes. */
export interface Route {
  readonly exchange: string;
  readonly routingKey: string;
  /** A topic is declared before it is published to; what belongs to a subscription is there. */
  readonly isTopic: boolean;
  /** A second routing key, which routes like the first and is in no delivered message. */
  readonly slot?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a publisher needs. */
export interface RabbitmqPublisherOptions extends BrokerWorld {
  readonly connection: Connection;
  readonly topology: RabbitmqTopology;
  readonly timeoutMs: number;
}

interface OpenChannel {
  readonly channel: Channel;
  /** Rejects when the channel closes: a confirm that did not come by then never comes. */
  readonly gone: Promise<never>;
}

/** Publishes on a channel with confirms, and again on the next one when the server went away in between. */
export class RabbitmqPublisher {
  readonly #options: RabbitmqPublisherOptions;
  readonly #declared = new Set<string>();
  /** The ids of messages that the server returned because it has no queue for them. */
  readonly #returned = new Set<string>();
  #count = 0;
  #channel: Promise<OpenChannel> | undefined;
  #isClosed = false;

  constructor(options: RabbitmqPublisherOptions) {
    this.#options = options;
  }

  /** Resolves once the server has the message in every queue that wants it. Rejects with `UnroutableMessage` if there is none. */
  async send(route: Route, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { clock, random, timeoutMs } = this.#options;
    const what = `publishing to ${route.exchange}`;
    const isOver = (): boolean => this.#isClosed;
    await persist({ clock, random, timeoutMs, what, signal, isFinal, isOver }, () => this.#sendOnce(route, body));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = await this.#channel?.catch(() => undefined);
    await open?.channel.close();
  }

  async #sendOnce({ exchange, routingKey, slot, isTopic, headers }: Route, body: Uint8Array): Promise<void> {
    const { channel, gone } = await this.#open();
    if (isTopic && !this.#declared.has(exchange)) {
      await declareTopic(channel, exchange, this.#options.topology);
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
      // The server takes this header out again. Other headers than texts would stop the consumers of the originals.
      headers: { ...headers, ...(slot === undefined ? {} : { BCC: [slot] }) },
    };
    try {
      await Promise.race([channel.basicPublish(envelope, Buffer.from(body)), gone]);
      // The server returns a message before it confirms it; the client announces the return in the next turn.
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
    // Of those who waited for the same channel in vain, the first opens another.
    if (this.#channel === before) this.#channel = this.#acquire();
    return this.#channel === undefined ? this.#open() : this.#channel;
  }

  async #acquire(): Promise<OpenChannel> {
    this.#declared.clear();
    const channel = await this.#options.connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", (error: unknown) => {
      this.#options.logger.warn("publishing channel closed", { error: toError(error) });
    });
    channel.on("basic.return", ({ messageId }) => {
      if (messageId !== undefined) this.#returned.add(messageId);
    });
    const gone = new Promise<never>((_, reject) => {
      channel.once("close", () => reject(new Error("the channel closed before the server confirmed")));
    });
    gone.catch(() => {}); // nobody may be waiting
    await channel.confirmSelect();
    return { channel, gone };
  }
}

/** An error that comes again however often one tries: the server knows the name differently, or does not let us. */
export function isFinal(error: Error): boolean {
  if (error instanceof UnroutableMessage || error instanceof TopologyMismatch) return true;
  const code = "code" in error ? error.code : undefined;
  return code === "PRECONDITION_FAILED" || code === "ACCESS_REFUSED" || code === "NOT_ALLOWED";
}

function unroutable(exchange: string): string {
  const hint = "start an adapter that subscribes to the topic, or give its queue a binding that matches";
  return `no queue is bound to the exchange ${exchange} for this message: ${hint}`;
}
