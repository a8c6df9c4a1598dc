/**
 * The fleet's broker transports pulses from the Sentinel to the adapters.
 *
 * Messages are published to a topic. A subscription is a named, durable queue on a topic: its consumers share its
 * messages, and every subscription receives all messages of the topic. A subscription is created when it is first
 * subscribed to and outlives its consumers.
 *
 * Delivery is at least once. A message is acknowledged after its handler's promise resolves. Messages with the same key
 * are handled one at a time in publishing order, across all consumers and processes: `partitionOf`, `KeyedMutex` and
 * the mechanisms of each server (see `nats/`, `rabbitmq/`) guarantee this together. The consumer that holds a failing
 * message retries it with exponential backoff, and later messages of its key wait; after the last attempt it is
 * dead-lettered. The common behaviour is in `consumer.ts`; a broker only hands out deliveries and settles them.
 */
import type { BackoffLimits } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { CloudEvent } from "./cloud-event.ts";
import type { DeadLetterQueue } from "./dead-letter.ts";

/** Dependencies of a broker. When `signal` aborts, the broker closes as with `close`. */
export interface BrokerWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A message as passed to its handler. */
export interface Message {
  readonly topic: string;
  readonly subscription: string;
  readonly event: CloudEvent;
  /** The ordering key; undefined if the message is unordered. */
  readonly key: string | undefined;
  /** The attempt number of this consumer, starting at 1. */
  readonly attempt: number;
}

/**
 * Handles a message. If it resolves, the message is acknowledged. If it rejects, the message is retried later; with
 * `RejectedMessageError` it is never retried. `signal` aborts when the message no longer belongs to this consumer or
 * the consumer must stop; errors thrown after that do not count as failures.
 */
export type MessageHandler = (message: Message, signal: AbortSignal) => Promise<void>;

/** Options of a subscription's consumer. */
export interface SubscribeOptions {
  /** The maximum number of handlers that run concurrently in this consumer. Default 8. */
  readonly concurrency?: number;
  /** The maximum number of attempts per message of this consumer. Default 5. */
  readonly attemptsMax?: number;
  /**
   * The maximum number of times the server may deliver a message that is never settled, for example because its
   * consumers crash. Default 20.
   */
  readonly deliveriesMax?: number;
  /** The delay between attempts. Default 1 s, doubling to 30 s. */
  readonly backoff?: BackoffLimits;
  /** How long `close` waits for running handlers before it aborts them. Default 30 s. */
  readonly closeGraceMs?: number;
}

/**
 * A consumer of a subscription. Closing waits for running handlers; messages whose handlers have not started are
 * returned in order.
 */
export interface Subscription extends AsyncDisposable {
  close(): Promise<void>;
}

/** Options of a publish. */
export interface PublishOptions {
  /** The ordering key; written to the event as `partitionkey`. Default: `eventKeyOf` the event. */
  readonly key?: string;
  /** Aborts the publish; the message may or may not have been published. */
  readonly signal?: AbortSignal;
}

/** Whether a broker is usable. */
export type BrokerHealth = { readonly kind: "up" } | { readonly kind: "down"; readonly reason: string };

/** The supported brokers. All but `memory` are reached by other processes. */
export const BROKER_KINDS = ["memory", "nats", "rabbitmq"] as const;

/** A supported broker. */
export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Publishes and consumes messages. */
export interface Broker extends AsyncDisposable {
  readonly kind: BrokerKind;
  /**
   * Publishes an event. Resolves once the broker has stored the message for every subscription of the topic. Retries
   * while the server restarts; rejects with `BrokerUnavailableError` after the publish timeout, and with
   * `InvalidEventError` at once. Two publishes with the same key arrive in call order, even if the first was not
   * awaited.
   */
  publish(topic: string, event: CloudEvent, options?: PublishOptions): Promise<void>;
  /**
   * Starts a consumer. Resolves once every message published from now on is stored for the subscription. Rejects with
   * `BrokerUnavailableError` if the server cannot be reached in time.
   */
  subscribe(
    topic: string,
    subscription: string,
    handler: MessageHandler,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  /** Returns the dead letters of a subscription. */
  deadLetters(topic: string, subscription: string): DeadLetterQueue;
  /** Checks the connection to the server. Never rejects. */
  health(): Promise<BrokerHealth>;
  /** Closes all subscriptions, then the connection. Idempotent. */
  close(): Promise<void>;
}
