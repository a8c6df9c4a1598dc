import { toError } from "@levelset/core/internal";
import type { Channel } from "rabbitmq-client";
import { DEAD_LETTERS_MAX } from "../dead-letter.ts";
import { TopologyMismatch } from "../broker-errors.ts";
import type { RabbitmqNames } from "./rabbitmq-names.ts";

/** The queue type: `quorum` is replicated in a cluster, `classic` is for a single node. */
export type RabbitmqQueueType = "quorum" | "classic";

/** The type of the topic's exchange; `topic` for setups in which other members declare it so. */
export type RabbitmqExchangeType = "fanout" | "topic";

/** Settings that an administrator may choose. */
export interface RabbitmqTopology {
  readonly queueType: RabbitmqQueueType;
  readonly exchangeType: RabbitmqExchangeType;
}

/**
 * RabbitMQ 4.0 and later drop a message that a quorum queue delivered 20 times, unless configured otherwise. Consumers
 * count deliveries themselves, and listing dead letters must not use them up.
 */
const DELIVERIES_MAX = 1_000_000_000;

/** Declares the exchange of a topic. Rejects with `TopologyMismatch` if it exists with different settings. */
export async function declareRabbitmqTopic(
  channel: Channel,
  exchange: string,
  { exchangeType }: RabbitmqTopology,
): Promise<void> {
  const hint = `set exchange_type to the type on the server (configured: ${exchangeType}), or delete the exchange`;
  await matching(`exchange ${exchange}`, hint, () =>
    channel.exchangeDeclare({ exchange, type: exchangeType, durable: true }),
  );
}

/** Throws `TopologyMismatch` with a hint if the object exists with different settings. */
async function matching(what: string, hint: string, declare: () => Promise<unknown>): Promise<void> {
  try {
    await declare();
  } catch (thrown) {
    const error = toError(thrown);
    if (!("code" in error) || error.code !== "PRECONDITION_FAILED") throw error;
    throw new TopologyMismatch(`${what} exists with different settings: ${hint} (${error.message})`, { cause: error });
  }
}

/**
 * Declares all objects of a subscription. Existing objects are left unchanged. Rejects with `TopologyMismatch` if one
 * exists with different settings.
 */
export async function declareRabbitmqSubscription(
  channel: Channel,
  names: RabbitmqNames,
  topology: RabbitmqTopology,
): Promise<void> {
  const { entry, rest, deadExchange, deadQueue, queues } = names;
  const limit = topology.queueType === "quorum" ? { "x-delivery-limit": DELIVERIES_MAX } : {};
  const type = { "x-queue-type": topology.queueType, ...limit };
  await declareRabbitmqTopic(channel, names.exchange, topology);
  await channel.exchangeDeclare({ exchange: rest, type: "fanout", durable: true });
  const others = { "alternate-exchange": rest };
  await channel.exchangeDeclare({ exchange: entry, type: "direct", durable: true, arguments: others });
  await channel.exchangeDeclare({ exchange: deadExchange, type: "fanout", durable: true });
  const deadLetters = { ...type, "x-max-length": DEAD_LETTERS_MAX };
  const hint = `set queue_type to the type on the server (configured: ${topology.queueType}), or drain and delete the queue`;
  const declareQueue = (queue: string, settings: Readonly<Record<string, unknown>>): Promise<void> =>
    matching(`queue ${queue}`, hint, () => channel.queueDeclare({ queue, durable: true, arguments: settings }));
  await declareQueue(deadQueue, deadLetters);
  await channel.queueBind({ exchange: deadExchange, queue: deadQueue });
  const queueArguments = { ...type, "x-single-active-consumer": true, "x-dead-letter-exchange": deadExchange };
  for (const [partition, queue] of queues.entries()) {
    await declareQueue(queue, queueArguments);
    await channel.queueBind({ exchange: entry, queue, routingKey: `${partition}` });
  }
  await channel.queueBind({ exchange: rest, queue: names.firstQueue });
  // Bound last, so that no message meets a partial topology.
  await channel.exchangeBind({ source: names.exchange, destination: entry, routingKey: "#" });
}
