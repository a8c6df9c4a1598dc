import { BACKOFFS, KeyedMutex, toError } from "@levelset/core/internal";
import { Connection } from "rabbitmq-client";
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
import { checkBrokerName } from "../broker-name.ts";
import { encodeOutgoing } from "../outgoing-message.ts";
import { partitionOf } from "../partition.ts";
import { Subscriptions } from "../subscriptions.ts";
import { withDeadline } from "../with-deadline.ts";
import { rabbitmqDeadLetters } from "./rabbitmq-dead-letters.ts";
import { rabbitmqNames, RABBITMQ_PARTITIONS } from "./rabbitmq-names.ts";
import { RabbitmqPublisher } from "./rabbitmq-publisher.ts";
import { RabbitmqSubscription } from "./rabbitmq-subscription.ts";
import type { RabbitmqExchangeType, RabbitmqQueueType, RabbitmqTopology } from "./rabbitmq-topology.ts";

/** How long a caller waits for a channel while disconnected before it checks whether the operation was cancelled. */
const ACQUIRE_MS = 3_000;
/** The timeout of a health check. */
const HEALTH_MS = 2_000;
/** The timeout of closing the connection. */
const CLOSE_MS = 5_000;

/** Connection settings of a RabbitMQ server, 3.10 or newer. */
export interface RabbitmqOptions {
  /** `amqp://user:password@host:5672/vhost`, or `amqps:`. */
  readonly url: string;
  /** Default `quorum`. */
  readonly queueType?: RabbitmqQueueType;
  /** Default `fanout`. */
  readonly exchangeType?: RabbitmqExchangeType;
  /** The exchange of all topics. Default: each topic has an exchange of its name. */
  readonly exchange?: string;
  /** The routing key of messages to a topic, for third-party consumers that bind queues by it. Default: none. */
  readonly routingKey?: string;
  /** The timeout of the first connection. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long a publish is retried. Default 30 s. */
  readonly publishTimeoutMs?: number;
  /** How many unacknowledged messages of a partition a consumer may have. Default 16. */
  readonly prefetch?: number;
  /** How often a consumer checks whether to hand over partitions. Default 10 s. */
  readonly rebalanceMs?: number;
}

type Settings = RabbitmqOptions & Required<Omit<RabbitmqOptions, "exchange">>;

const DEFAULTS: Omit<Settings, "url"> = {
  queueType: "quorum",
  exchangeType: "fanout",
  routingKey: "",
  connectTimeoutMs: 10_000,
  publishTimeoutMs: 30_000,
  prefetch: 16,
  rebalanceMs: 10_000,
};

/**
 * Connects. Rejects with `BrokerUnavailableError` if the server is not reachable in time; later, broken connections are
 * re-established.
 */
export async function connectRabbitmq(options: RabbitmqOptions & BrokerWorld): Promise<Broker> {
  const settings = { ...DEFAULTS, ...options };
  const connection = new Connection({
    url: settings.url,
    connectionName: "levelset",
    retryLow: BACKOFFS.rabbitmqConnection.firstMs,
    retryHigh: BACKOFFS.rabbitmqConnection.maxMs,
    acquireTimeout: ACQUIRE_MS,
  });
  connection.on("error", (error: unknown) => options.logger.warn("broker disconnected", { err: toError(error) }));
  connection.on("connection", () => options.logger.info("broker connected"));
  try {
    await connection.onConnect(settings.connectTimeoutMs, true);
  } catch (error) {
    connection.unsafeDestroy();
    throw new BrokerUnavailableError("cannot connect to RabbitMQ: no response", { cause: error });
  }
  return new RabbitmqBroker(connection, settings, options);
}

class RabbitmqBroker implements Broker {
  readonly kind = "rabbitmq";
  readonly #connection: Connection;
  readonly #settings: Settings;
  readonly #topology: RabbitmqTopology;
  readonly #world: BrokerWorld;
  readonly #publisher: RabbitmqPublisher;
  readonly #mutex = new KeyedMutex();
  readonly #subscriptions = new Subscriptions();
  #closed: Promise<void> | undefined;

  constructor(connection: Connection, settings: Settings, world: BrokerWorld) {
    const { queueType, exchangeType, publishTimeoutMs: timeoutMs } = settings;
    const { clock, random, logger, signal } = world;
    this.#connection = connection;
    this.#settings = settings;
    this.#topology = { queueType, exchangeType };
    this.#world = world;
    this.#publisher = new RabbitmqPublisher({
      clock,
      random,
      logger,
      signal,
      connection,
      topology: this.#topology,
      timeoutMs,
    });
    world.signal.addEventListener("abort", () => void this.close(), { once: true });
  }

  async publish(topic: string, event: CloudEvent, options: PublishOptions = {}): Promise<void> {
    this.#subscriptions.check();
    checkBrokerName("topic", topic);
    const { body, partitionKey, orderingKey } = encodeOutgoing(topic, event, options);
    const { exchange = topic, routingKey } = this.#settings;
    const route = { exchange, routingKey, partition: partitionName(partitionKey), isTopic: true };
    await this.#mutex.run(orderingKey, () => this.#publisher.send(route, body, options.signal));
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: MessageHandler,
    settings?: SubscribeOptions,
  ): Promise<Subscription> {
    this.#subscriptions.check();
    const { clock, random, logger } = this.#world;
    const { prefetch, rebalanceMs, exchange } = this.#settings;
    const names = rabbitmqNames(topic, subscription, exchange);
    const consumer = new Consumer({
      topic,
      subscription,
      handler,
      settings,
      clock,
      random,
      logger,
      deadLetter: (deadLetter) => {
        const headers = { [DEAD_LETTER_HEADER]: encodeDeadLetter(deadLetter) };
        return this.#publisher.send(
          { exchange: names.deadExchange, routingKey: "", isTopic: false, headers },
          deadLetter.body,
        );
      },
    });
    const running = new RabbitmqSubscription({
      connection: this.#connection,
      names,
      topology: this.#topology,
      consumer,
      prefetch,
      rebalanceMs,
      clock,
      logger: logger.with({ topic, subscription }),
    });
    return this.#subscriptions.begin(
      () => running.stop(),
      () => running.start(),
    );
  }

  deadLetters(topic: string, subscription: string): DeadLetterQueue {
    const { deadQueue, entry } = rabbitmqNames(topic, subscription);
    return rabbitmqDeadLetters({
      connection: this.#connection,
      clock: this.#world.clock,
      queue: deadQueue,
      resend: ({ id, key, body }) =>
        this.#publisher.send({ exchange: entry, routingKey: partitionName(key ?? id), isTopic: false }, body),
    });
  }

  async health(): Promise<BrokerHealth> {
    if (this.#subscriptions.isClosed) return { kind: "down", reason: "closed" };
    if (!this.#connection.ready) return { kind: "down", reason: "RabbitMQ is disconnected or blocks publishers" };
    const limit = { clock: this.#world.clock, ms: HEALTH_MS, what: "RabbitMQ" };
    const reachable = this.#connection.acquire().then((channel) => channel.close());
    return brokerHealthOf(withDeadline(limit, reachable));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    await this.#subscriptions.close();
    const limit = { clock: this.#world.clock, ms: CLOSE_MS, what: "closing" };
    const closed = this.#publisher.close().then(() => this.#connection.close());
    await withDeadline(limit, closed).catch(() => this.#connection.unsafeDestroy());
  }
}

function partitionName(key: string): string {
  return `${partitionOf(key, RABBITMQ_PARTITIONS)}`;
}
