import { BACKOFFS, KeyedMutex, randomUuid, toError } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { ConsumerInfo, JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import type {
  Broker,
  BrokerHealth,
  BrokerWorld,
  MessageHandler,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "../broker.ts";
import type { CloudEvent } from "../cloud-event.ts";
import { Consumer } from "../consumer.ts";
import { encodeDeadLetter, DEAD_LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetterQueue } from "../dead-letter.ts";
import { BrokerUnavailableError } from "../broker-errors.ts";
import { brokerHealthOf } from "../broker-health.ts";
import { encodeOutgoing } from "../outgoing-message.ts";
import { retryUntil } from "../retry-until.ts";
import { partitionOf } from "../partition.ts";
import { Subscriptions } from "../subscriptions.ts";
import { withDeadline } from "../with-deadline.ts";
import { natsDeadLetters } from "./nats-dead-letters.ts";
import { natsSubscription, natsTopic, NATS_PARTITIONS } from "./nats-names.ts";
import { consumePartition } from "./nats-partition.ts";
import { declareNatsPartition, declareNatsTopic } from "./nats-topology.ts";

/** The timeout of a single request. */
const REQUEST_MS = 2_000;

/** Connection settings of NATS servers with JetStream, 2.9 or newer. */
export interface NatsOptions {
  /** `host:port` of one or more servers of a cluster. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The number of stream replicas. Default 1. */
  readonly replicas?: number;
  /**
   * How long a message may be unacknowledged without a progress signal before another consumer gets it. Default 30 s.
   */
  readonly ackWaitMs?: number;
  /** The timeout of the first connection. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long a publish or the start of a subscription is retried. Default 30 s. */
  readonly publishTimeoutMs?: number;
}

interface Settings {
  readonly replicas: number;
  readonly ackWaitMs: number;
  readonly publishTimeoutMs: number;
}

/**
 * Connects. Rejects with `BrokerUnavailableError` if no server is reachable in time; later, broken connections are
 * re-established.
 */
export async function connectNats(options: NatsOptions & BrokerWorld): Promise<Broker> {
  const { servers, user, password, token, replicas = 1, ackWaitMs = 30_000, publishTimeoutMs = 30_000 } = options;
  try {
    const connection = await connect({
      servers: [...servers],
      name: "levelset",
      timeout: options.connectTimeoutMs ?? 10_000,
      maxReconnectAttempts: -1,
      reconnectTimeWait: BACKOFFS.natsConnection.firstMs,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { pass: password }),
      ...(token === undefined ? {} : { token }),
    });
    const jsm = await jetstreamManager(connection, { timeout: REQUEST_MS }).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    void logStatus(connection, options.logger);
    return new NatsBroker({ connection, jsm, settings: { replicas, ackWaitMs, publishTimeoutMs }, world: options });
  } catch (error) {
    throw new BrokerUnavailableError(`cannot connect to NATS: ${toError(error).message}`, { cause: error });
  }
}

/** Returns when the connection closes. */
async function logStatus(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") logger.warn("broker disconnected");
    if (type === "reconnect") logger.info("broker connected");
  }
}

interface NatsParts {
  readonly connection: NatsConnection;
  readonly jsm: JetStreamManager;
  readonly settings: Settings;
  readonly world: BrokerWorld;
}

class NatsBroker implements Broker {
  readonly kind = "nats";
  readonly #connection: NatsConnection;
  readonly #js: JetStreamClient;
  readonly #jsm: JetStreamManager;
  readonly #settings: Settings;
  readonly #world: BrokerWorld;
  readonly #mutex = new KeyedMutex();
  readonly #subscriptions = new Subscriptions();
  /** Topics whose streams have been declared. */
  readonly #declared = new Map<string, Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor({ connection, jsm, settings, world }: NatsParts) {
    this.#connection = connection;
    this.#jsm = jsm;
    this.#js = jetstream(connection, { timeout: REQUEST_MS });
    this.#settings = settings;
    this.#world = world;
    world.signal.addEventListener("abort", () => void this.close(), { once: true });
  }

  async publish(topic: string, event: CloudEvent, options: PublishOptions = {}): Promise<void> {
    this.#subscriptions.check();
    const { subject } = natsTopic(topic);
    const { body, partitionKey, orderingKey } = encodeOutgoing(topic, event, options);
    const to = subject(partitionOf(partitionKey, NATS_PARTITIONS));
    await this.#mutex.run(orderingKey, () => this.#send(topic, to, body, { signal: options.signal }));
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: MessageHandler,
    settings?: SubscribeOptions,
  ): Promise<Subscription> {
    this.#subscriptions.check();
    const { clock, random, logger } = this.#world;
    const names = natsSubscription(topic, subscription);
    const consumer = new Consumer({
      topic,
      subscription,
      handler,
      settings,
      clock,
      random,
      logger,
      deadLetter: (deadLetter) => {
        const note = headers();
        note.set(DEAD_LETTER_HEADER, encodeDeadLetter(deadLetter));
        return this.#send(topic, names.deadSubject, deadLetter.body, { headers: note });
      },
    });
    const stopping = new AbortController();
    const stop = async (): Promise<void> => {
      stopping.abort();
      await consumer.close();
    };
    const start = async (partition: number): Promise<void> => {
      const declare = async (): Promise<ConsumerInfo> => {
        await this.#declare(topic);
        return declareNatsPartition(this.#jsm, names, partition, this.#settings).catch(this.#redeclareOnRetry(topic));
      };
      void consumePartition({
        connection: this.#connection,
        partition,
        source: this.#js.consumers.getConsumerFromInfo(await this.#withRetries(`subscribing to ${topic}`, declare)),
        consumer,
        isForSubscription: names.isForSubscription,
        declare,
        ackWaitMs: this.#settings.ackWaitMs,
        clock,
        logger: logger.with({ topic, subscription }),
        stopping: stopping.signal,
      });
    };
    return this.#subscriptions.begin(stop, async () => {
      await Promise.all(Array.from({ length: NATS_PARTITIONS }, (_, partition) => start(partition)));
    });
  }

  deadLetters(topic: string, subscription: string): DeadLetterQueue {
    const names = natsSubscription(topic, subscription);
    return natsDeadLetters({
      js: this.#js,
      jsm: this.#jsm,
      stream: natsTopic(topic).deadStream,
      subject: names.deadSubject,
      resend: ({ id, key, body }) =>
        this.#send(topic, names.subject(partitionOf(key ?? id, NATS_PARTITIONS)), body, {}),
    });
  }

  async health(): Promise<BrokerHealth> {
    if (this.#subscriptions.isClosed) return { kind: "down", reason: "closed" };
    const limit = { clock: this.#world.clock, ms: REQUEST_MS, what: "NATS" };
    return brokerHealthOf(withDeadline(limit, this.#jsm.getAccountInfo()));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Publishes with one message ID for all attempts, by which the server deduplicates. */
  async #send(
    topic: string,
    subject: string,
    body: Uint8Array,
    options: { readonly signal?: AbortSignal | undefined; readonly headers?: MsgHdrs },
  ): Promise<void> {
    const { random } = this.#world;
    const sent = { msgID: randomUuid(random), ...(options.headers === undefined ? {} : { headers: options.headers }) };
    const attempt = async (): Promise<void> => {
      await this.#declare(topic);
      await this.#js.publish(subject, body, sent).catch(this.#redeclareOnRetry(topic));
    };
    await this.#withRetries(`publishing to ${subject}`, attempt, options.signal);
  }

  /** Retries idempotent requests until the publish timeout: servers restart, and busy ones respond late. */
  #withRetries<T>(what: string, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { clock, random } = this.#world;
    const { publishTimeoutMs: timeoutMs } = this.#settings;
    const isOver = (): boolean => this.#connection.isClosed();
    return retryUntil({ clock, random, timeoutMs, what, signal, isPermanent: isFinal, isStopped: isOver }, attempt);
  }

  /** The failure may be caused by lost streams of the topic: the next attempt declares them first. */
  #redeclareOnRetry(topic: string): (error: unknown) => never {
    return (error) => {
      this.#declared.delete(topic);
      throw error;
    };
  }

  #declare(topic: string): Promise<void> {
    const declared =
      this.#declared.get(topic) ??
      declareNatsTopic(this.#jsm, natsTopic(topic), this.#settings).catch(this.#redeclareOnRetry(topic));
    this.#declared.set(topic, declared);
    return declared;
  }

  async #end(): Promise<void> {
    await this.#subscriptions.close();
    // Drains instead of closing: messages in flight to us are returned before the connection ends.
    const limit = { clock: this.#world.clock, ms: REQUEST_MS, what: "NATS" };
    await withDeadline(limit, this.#connection.drain()).catch(() => this.#connection.close());
  }
}

/** Returns true for errors that a retry cannot fix: the server understood and refused the request. */
function isFinal(error: Error): boolean {
  const SERVER_ERROR = 500;
  return error instanceof JetStreamApiError && error.status < SERVER_ERROR;
}
