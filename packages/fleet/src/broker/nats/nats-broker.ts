import { randomUuid, toError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { ConsumerInfo, JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
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
import { outgoing } from "../outgoing.ts";
import { persist } from "../persist.ts";
import { slotOf } from "../slot.ts";
import { Subscriptions } from "../subscriptions.ts";
import { within } from "../within.ts";
import { natsDeadLetters } from "./nats-dead-letters.ts";
import { natsSubscription, natsTopic, NATS_SLOTS } from "./nats-names.ts";
import { readSlot } from "./nats-slot.ts";
import { declareSlot, declareTopic } from "./nats-topology.ts";

/** How long a single request may take. */
const REQUEST_MS = 2_000;

/** How to reach and use NATS servers with JetStream, 2.9 or newer. */
export interface NatsOptions {
  /** `host:port`, one or more of a cluster. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** On how many servers of a cluster streams are kept. Default 1. */
  readonly replicas?: number;
  /** For how long a message may be out without a sign of life of its consumer, so how soon another takes over. Default 30 s. */
  readonly ackWaitMs?: number;
  /** How long the first connection may take. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long a publish or the start of a subscription is retried. Default 30 s. */
  readonly publishTimeoutMs?: number;
}

interface Settings {
  readonly replicas: number;
  readonly ackWaitMs: number;
  readonly publishTimeoutMs: number;
}

/** Connects. Rejects with `BrokerUnavailable` when there is no server in time; later on, connections that break are made again. */
export async function connectNats(options: NatsOptions & BrokerWorld): Promise<Broker> {
  const { servers, user, password, token, replicas = 1, ackWaitMs = 30_000, publishTimeoutMs = 30_000 } = options;
  try {
    const connection = await connect({
      servers: [...servers],
      name: "levelset",
      timeout: options.connectTimeoutMs ?? 10_000,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
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
    throw new BrokerUnavailable(`NATS did not answer: ${toError(error).message}`, { cause: error });
  }
}

/** Ends with the connection. */
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
  readonly #lanes = new KeyLanes();
  readonly #subscriptions = new Subscriptions();
  /** Topics whose streams are known to be there. */
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
    const { body, spread, lane } = outgoing(topic, event, options);
    const to = subject(slotOf(spread, NATS_SLOTS));
    await this.#lanes.run(lane, () => this.#send(topic, to, body, { signal: options.signal }));
  }

  async subscribe(
    topic: string,
    subscription: string,
    handler: Handler,
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
      bury: (letter) => {
        const note = headers();
        note.set(LETTER_HEADER, encodeLetter(letter));
        return this.#send(topic, names.deadSubject, letter.body, { headers: note });
      },
    });
    const stopping = new AbortController();
    const stop = async (): Promise<void> => {
      stopping.abort();
      await consumer.close();
    };
    const start = async (slot: number): Promise<void> => {
      const declare = async (): Promise<ConsumerInfo> => {
        await this.#declare(topic);
        return declareSlot(this.#jsm, names, slot, this.#settings).catch(this.#doubted(topic));
      };
      void readSlot({
        connection: this.#connection,
        slot,
        source: this.#js.consumers.getConsumerFromInfo(await this.#persist(`subscribing to ${topic}`, declare)),
        consumer,
        isAddressee: names.isAddressee,
        declare,
        ackWaitMs: this.#settings.ackWaitMs,
        clock,
        logger: logger.with({ topic, subscription }),
        stopping: stopping.signal,
      });
    };
    return this.#subscriptions.begin(stop, async () => {
      await Promise.all(Array.from({ length: NATS_SLOTS }, (_, slot) => start(slot)));
    });
  }

  deadLetters(topic: string, subscription: string): DeadLetterQueue {
    const names = natsSubscription(topic, subscription);
    return natsDeadLetters({
      js: this.#js,
      jsm: this.#jsm,
      stream: natsTopic(topic).deadStream,
      subject: names.deadSubject,
      resend: ({ id, key, body }) => this.#send(topic, names.subject(slotOf(key ?? id, NATS_SLOTS)), body, {}),
    });
  }

  async health(): Promise<BrokerHealth> {
    if (this.#subscriptions.isClosed) return { kind: "down", reason: "closed" };
    const limit = { clock: this.#world.clock, ms: REQUEST_MS, what: "NATS" };
    return healthOf(within(limit, this.#jsm.getAccountInfo()));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A publish has one id over all tries, by which the server knows it. */
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
      await this.#js.publish(subject, body, sent).catch(this.#doubted(topic));
    };
    await this.#persist(`publishing to ${subject}`, attempt, options.signal);
  }

  /** Retries requests that may be sent twice, until the publish timeout: servers restart, and busy ones answer late. */
  #persist<T>(what: string, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { clock, random } = this.#world;
    const { publishTimeoutMs: timeoutMs } = this.#settings;
    const isOver = (): boolean => this.#connection.isClosed();
    return persist({ clock, random, timeoutMs, what, signal, isFinal, isOver }, attempt);
  }

  /** What failed may have failed because the server lost the streams of the topic: whoever tries again declares them first. */
  #doubted(topic: string): (error: unknown) => never {
    return (error) => {
      this.#declared.delete(topic);
      throw error;
    };
  }

  #declare(topic: string): Promise<void> {
    const declared =
      this.#declared.get(topic) ??
      declareTopic(this.#jsm, natsTopic(topic), this.#settings).catch(this.#doubted(topic));
    this.#declared.set(topic, declared);
    return declared;
  }

  async #end(): Promise<void> {
    await this.#subscriptions.close();
    // Draining, not closing: messages that are on their way here go back before the connection ends.
    const limit = { clock: this.#world.clock, ms: REQUEST_MS, what: "NATS" };
    await within(limit, this.#connection.drain()).catch(() => this.#connection.close());
  }
}

/** An error that comes again however often one tries: the server understood, and said no. */
function isFinal(error: Error): boolean {
  const SERVER_ERROR = 500;
  return error instanceof JetStreamApiError && error.status < SERVER_ERROR;
}
