import { checkName } from "../name.ts";

/**
 * How many queues a subscription has. Part of the wire contract: publishers route by it, so all processes must agree. As many
 * processes at most share the work of a subscription.
 */
export const RABBITMQ_SLOTS: number = 16;

/** What the parts of a subscription are called on the server. */
export interface RabbitmqNames {
  /** The topic's exchange, which publishers of other makes know too. */
  readonly exchange: string;
  /** Takes the topic's messages and spreads them over the queues by slot; a replay enters here. */
  readonly entry: string;
  /** Takes what has no slot, from publishers that do not know of them, into the first queue. */
  readonly rest: string;
  /** One per slot. */
  readonly queues: readonly string[];
  /** The first of them. */
  readonly firstQueue: string;
  /** Holds nothing; its consumers are those of the subscription, to be counted. */
  readonly members: string;
  readonly deadExchange: string;
  readonly deadQueue: string;
}

/**
 * Names after the convention of the public originals: the exchange is the topic, queues start with `{topic}-{subscription}`. Two
 * pairs may yield one queue name (`a-b` and `c`, `a` and `b-c`); the exchange for dead letters, an argument of each queue, tells them
 * apart, so the server refuses the second. `exchange` is another name for the topic's exchange.
 */
export function rabbitmqNames(topic: string, subscription: string, exchange: string = topic): RabbitmqNames {
  checkName("topic", topic);
  checkName("subscription", subscription);
  const queue = `${topic}-${subscription}`;
  const own = `${topic}/${subscription}`;
  return {
    exchange,
    entry: own,
    rest: `${own}/rest`,
    queues: Array.from({ length: RABBITMQ_SLOTS }, (_, slot) => `${queue}.${slot}`),
    firstQueue: `${queue}.0`,
    members: `${own}/members`,
    deadExchange: `${own}/dead`,
    deadQueue: `${queue}-dlq`,
  };
}
