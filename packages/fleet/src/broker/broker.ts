/**
 * The fleet's broker: how a pulse gets from the Sentinel to the adapters.
 *
 * A topic is what is published to. A subscription is a name under which messages of a topic are kept until they are handled: consumers
 * of one subscription share its messages, and every subscription gets all of them. A subscription begins to be kept when it is first
 * subscribed to, and stays when its consumers go.
 *
 * Delivery is at least once. A message is acknowledged after its handler's promise resolved. Messages of one key are handled one
 * after the other, in the order in which they were published, whichever consumer in whichever process gets them: this is what `slot`,
 * `KeyLanes` and each server's own means (see `nats/`, `rabbitmq/`) do together. A failing message is tried again by the consumer that
 * has it, with growing delays and its key waiting behind it; after the last try it becomes a dead letter. What every broker does alike
 * is in `consumer.ts`; a broker only hands out deliveries and takes them back.
 */
import type { Clock, Logger, Random } from "@levelset/core";
import type { BackoffLimits } from "@levelset/operator";
import type { CloudEvent } from "./cloud-event.ts";
import type { DeadLetterQueue } from "./dead-letter.ts";

/** What a broker may know of the world. When `signal` aborts, the broker closes as `close` does. */
export interface BrokerWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A message as its handler sees it. */
export interface Message {
  readonly topic: string;
  readonly subscription: string;
  readonly event: CloudEvent;
  /** What it is kept in order by; undefined when by nothing. */
  readonly key: string | undefined;
  /** Which try of this consumer it is, from 1. */
  readonly attempt: number;
}

/**
 * Handles a message. Resolves: acknowledged. Rejects: tried again later; with `RejectedMessage`: never. `signal` aborts when the
 * message is no longer this consumer's, or the consumer must end: what is thrown then counts as no failure.
 */
export type Handler = (message: Message, signal: AbortSignal) => Promise<void>;

/** How a subscription is consumed. */
export interface SubscribeOptions {
  /** How many handlers may run at the same time in this consumer. Default 8. */
  readonly concurrency?: number;
  /** How often this consumer tries a message. Default 5. */
  readonly attemptsMax?: number;
  /** How often the server may hand out a message that never ended, in whichever way consumers ended meanwhile. Default 20. */
  readonly deliveriesMax?: number;
  /** The delay between tries. Default 1 s, doubling to 30 s. */
  readonly backoff?: BackoffLimits;
  /** How long `close` lets handlers finish before it aborts them. Default 30 s. */
  readonly closeGraceMs?: number;
}

/** A consumer of a subscription. Closing waits for handlers that run; what has not begun goes back in its order. */
export interface Subscription extends AsyncDisposable {
  close(): Promise<void>;
}

/** How a message is published. */
export interface PublishOptions {
  /** What it is kept in order by; written into the event as `partitionkey`. Without, `keyOf` the event. */
  readonly key?: string;
  /** When it aborts, the publish is given up; whether it happened is not known. */
  readonly signal?: AbortSignal;
}

/** Whether a broker can be used now. */
export type BrokerHealth = { readonly kind: "up" } | { readonly kind: "down"; readonly reason: string };

/** The kinds of brokers. */
export type BrokerKind = "memory" | "nats" | "rabbitmq";

/** Where messages go and come from. */
export interface Broker extends AsyncDisposable {
  readonly kind: BrokerKind;
  /**
   * Resolves once the broker has taken the message for every subscription of the topic. Survives a restart of the server by trying
   * again, for a while; rejects with `BrokerUnavailable` after it, and with `InvalidEvent` at once. Two publishes of one key arrive in
   * the order in which they were called, whether or not the caller awaited the first.
   */
  publish(topic: string, event: CloudEvent, options?: PublishOptions): Promise<void>;
  /** Resolves once every message published from now on will be kept for the subscription. */
  subscribe(topic: string, subscription: string, handler: Handler, options?: SubscribeOptions): Promise<Subscription>;
  /** What was put aside. */
  deadLetters(topic: string, subscription: string): DeadLetterQueue;
  /** Asks the server. Never rejects. */
  health(): Promise<BrokerHealth>;
  /** Ends all subscriptions, then the connection. May be called again. */
  close(): Promise<void>;
}
