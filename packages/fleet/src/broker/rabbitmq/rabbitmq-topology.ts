import { toError } from "@levelset/core";
import type { Channel } from "rabbitmq-client";
import { LETTERS_MAX } from "../dead-letter.ts";
import { TopologyMismatch } from "../errors.ts";
import type { RabbitmqNames } from "./rabbitmq-names.ts";

/** How queues are kept: `quorum` is replicated in a cluster, `classic` is for a single node. */
export type RabbitmqQueueType = "quorum" | "classic";

/** The type of the topic's exchange; `topic` for setups whose other members declare it so. */
export type RabbitmqExchangeType = "fanout" | "topic";

/** What an administrator may choose. */
export interface RabbitmqTopology {
  readonly queueType: RabbitmqQueueType;
  readonly exchangeType: RabbitmqExchangeType;
}

/**
 * Servers from 4.0 on drop a message that a quorum queue handed out 20 times, unless told otherwise. Consumers count themselves, and
 * looking at dead letters must not use them up.
 */
const DELIVERIES_MAX = 1_000_000_000;

/** Declares the exchange of a topic. */
export async function declareTopic(
  channel: Channel,
  exchange: string,
  { exchangeType }: RabbitmqTopology,
): Promise<void> {
  const hint = `set exchange_type to the type that the server has (it is ${exchangeType} here), or delete the exchange`;
  await matching(`exchange ${exchange}`, hint, () =>
    channel.exchangeDeclare({ exchange, type: exchangeType, durable: true }),
  );
}

/** Says which object the server has with other settings, and what to do about it. */
async function matching(what: string, hint: string, declare: () => Promise<unknown>): Promise<void> {
  try {
    await declare();
  } catch (thrown) {
    const error = toError(thrown);
    if (!("code" in error) || error.code !== "PRECONDITION_FAILED") throw error;
    throw new TopologyMismatch(`${what} exists with other settings: ${hint} (${error.message})`, { cause: error });
  }
}

/** Declares all that a subscription needs. What is there already stays; what is there differently is an error of the server. */
export async function declareSubscription(
  channel: Channel,
  names: RabbitmqNames,
  topology: RabbitmqTopology,
): Promise<void> {
  const { entry, rest, deadExchange, deadQueue, queues } = names;
  const limit = topology.queueType === "quorum" ? { "x-delivery-limit": DELIVERIES_MAX } : {};
  const type = { "x-queue-type": topology.queueType, ...limit };
  await declareTopic(channel, names.exchange, topology);
  await channel.exchangeDeclare({ exchange: rest, type: "fanout", durable: true });
  const others = { "alternate-exchange": rest };
  await channel.exchangeDeclare({ exchange: entry, type: "direct", durable: true, arguments: others });
  await channel.exchangeDeclare({ exchange: deadExchange, type: "fanout", durable: true });
  const letters = { ...type, "x-max-length": LETTERS_MAX };
  const hint = `set queue_type to the type that the server has (it is ${topology.queueType} here), or drain and delete the queue`;
  const declareQueue = (queue: string, settings: Readonly<Record<string, unknown>>): Promise<void> =>
    matching(`queue ${queue}`, hint, () => channel.queueDeclare({ queue, durable: true, arguments: settings }));
  await declareQueue(deadQueue, letters);
  await channel.queueBind({ exchange: deadExchange, queue: deadQueue });
  const queueArguments = { ...type, "x-single-active-consumer": true, "x-dead-letter-exchange": deadExchange };
  for (const [slot, queue] of queues.entries()) {
    await declareQueue(queue, queueArguments);
    await channel.queueBind({ exchange: entry, queue, routingKey: `${slot}` });
  }
  await channel.queueBind({ exchange: rest, queue: names.firstQueue });
  // Last, so that no message finds half of it.
  await channel.exchangeBind({ source: names.exchange, destination: entry, routingKey: "#" });
}
