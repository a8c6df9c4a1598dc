import { checkBrokerName } from "../broker-name.ts";

/**
 * The number of queues per subscription. Part of the wire contract: publishers route by it, so all processes must
 * agree. At most this many processes share the work of a subscription.
 */
export const RABBITMQ_PARTITIONS: number = 16;

/** The server-side names of a subscription. */
export interface RabbitmqNames {
  /** The topic's exchange, which third-party publishers also use. */
  readonly exchange: string;
  /** Receives the topic's messages and distributes them to the queues by partition; replays enter here. */
  readonly entry: string;
  /** Routes messages without a partition, from third-party publishers, to the first queue. */
  readonly rest: string;
  /** One queue per partition. */
  readonly queues: readonly string[];
  /** The queue of the first partition. */
  readonly firstQueue: string;
  /** Always empty; its consumers are those of the subscription, for counting. */
  readonly members: string;
  readonly deadExchange: string;
  readonly deadQueue: string;
}

/**
 * The exchange is named after the topic; queue names start with `{topic}-{subscription}`. Two pairs may yield the same
 * queue name (`a-b` and `c`, `a` and `b-c`); the dead-letter exchange, an argument of each queue, differs, so the
 * server refuses the second. `exchange` overrides the name of the topic's exchange.
 */
export function rabbitmqNames(topic: string, subscription: string, exchange: string = topic): RabbitmqNames {
  checkBrokerName("topic", topic);
  checkBrokerName("subscription", subscription);
  const queue = `${topic}-${subscription}`;
  const own = `${topic}/${subscription}`;
  return {
    exchange,
    entry: own,
    rest: `${own}/rest`,
    queues: Array.from({ length: RABBITMQ_PARTITIONS }, (_, partition) => `${queue}.${partition}`),
    firstQueue: `${queue}.0`,
    members: `${own}/members`,
    deadExchange: `${own}/dead`,
    deadQueue: `${queue}-dlq`,
  };
}
