import { toError } from "@levelset/core";
import { Connection } from "rabbitmq-client";
import type {
  Broker,
  BrokerHealth,
  BrokerWorld,
  Handler,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from "../broker.ts";
import type { CloudEvent } from "../cloud-event.ts";
import { Consumer } from "../consumer.ts";
import { encodeLetter, LETTER_HEADER } from "../dead-letter.ts";
import type { DeadLetterQueue } from "../dead-letter.ts";
import { BrokerUnavailable } from "../errors.ts";
import { healthOf } from "../health-of.ts";
import { KeyLanes } from "../key-lanes.ts";
import { checkName } from "../name.ts";
import { outgoing } from "../outgoing.ts";
import { slotOf } from "../slot.ts";
import { Subscriptions } from "../subscriptions.ts";
import { within } from "../within.ts";
import { rabbitmqDeadLetters } from "./rabbitmq-dead-letters.ts";
import { rabbitmqNames, RABBITMQ_SLOTS } from "./rabbitmq-names.ts";
import { RabbitmqPublisher } from "./rabbitmq-publisher.ts";
import { RabbitmqSubscription } from "./rabbitmq-subscription.ts";
import type { RabbitmqExchangeType, RabbitmqQueueType, RabbitmqTopology } from "./rabbitmq-topology.ts";

/** How long somebody waits for a channel while there is no connection, before they look whether they still want it. */
const ACQUIRE_MS = 3_000;
/** How long the server may take to say that it is well. */
const HEALTH_MS = 2_000;
/** How long the server may take to say goodbye. */
const CLOSE_MS = 5_000;

/** How to reach and use a RabbitMQ server, 3.10 or newer. */
export interface RabbitmqOptions {
  /** `amqp://user:password@host:5672/vhost`, or `amqps:`. */
  readonly url: string;
  /** Default `quorum`. */
  readonly queueType?: RabbitmqQueueType;
  /** Default `fanout`. */
  readonly exchangeType?: RabbitmqExchangeType;
  /** The exchange of all topics. Default: each topic has the one of its name. */
  readonly exchange?: string;
  /** The routing key of messages to a topic, for consumers of other makes that bind their queues by it. Default: none. */
  readonly routingKey?: string;
  /** How long the first connection may take. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long a publish is tried. Default 30 s. */
  readonly publishTimeoutMs?: number;
  /** How many messages of a slot a consumer holds at a time. Default 16. */
  readonly prefetch?: number;
  /** How often a consumer looks whether it should leave slots to others. Default 10 s. */
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

/** Connects. Rejects with `BrokerUnavailable` when there is no server in time; later on, connections that break are made again. */
export async function connectRabbitmq(options: RabbitmqOptions & BrokerWorld): Promise<Broker> {
  const settings = { ...DEFAULTS, ...options };
  const connection = new Connection({
    url: settings.url,
    connectionName: "levelset",
    retryLow: 100,
    retryHigh: 2_000,
    acquireTimeout: ACQUIRE_MS,
  });
  connection.on("error", (error: unknown) => options.logger.warn("broker disconnected", { error: toError(error) }));
  connection.on("connection", () => options.logger.info("broker connected"));
  try {
    await connection.onConnect(settings.connectTimeoutMs, true);
  } catch (error) {
    connection.unsafeDestroy();
    throw new BrokerUnavailable("RabbitMQ did not answer", { cause: error });
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
  readonly #lanes = new KeyLanes();
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
    checkName("topic", topic);
    const { body, spread, lane } = outgoing(topic, event, options);
    const { exchange = topic, routingKey } = this.#settings;
    const route = { exchange, routingKey, slot: slotName(spread), isTopic: true };
    await this.#lanes.run(lane, () => this.#publisher.send(route, body, options.signal));
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: Handler,
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
      bury: (letter) => {
        const headers = { [LETTER_HEADER]: encodeLetter(letter) };
        return this.#publisher.send(
          { exchange: names.deadExchange, routingKey: "", isTopic: false, headers },
          letter.body,
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
        this.#publisher.send({ exchange: entry, routingKey: slotName(key ?? id), isTopic: false }, body),
    });
  }

  async health(): Promise<BrokerHealth> {
    if (this.#subscriptions.isClosed) return { kind: "down", reason: "closed" };
    if (!this.#connection.ready) return { kind: "down", reason: "RabbitMQ is not connected, or blocks publishers" };
    const limit = { clock: this.#world.clock, ms: HEALTH_MS, what: "RabbitMQ" };
    const answered = this.#connection.acquire().then((channel) => channel.close());
    return healthOf(within(limit, answered));
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
    await within(limit, closed).catch(() => this.#connection.unsafeDestroy());
  }
}

function slotName(key: string): string {
  return `${slotOf(key, RABBITMQ_SLOTS)}`;
}
