import type { BackoffLimits } from "./backoff.ts";

/** Returns the limits of a delay that does not grow. */
function constant(ms: number, jitter: number = 0): Required<BackoffLimits> {
  return { firstMs: ms, maxMs: ms, factor: 1, jitter };
}

/**
 * The delays between the attempts of every part of the product that retries. One table, so that the load which an outage
 * causes can be reviewed in one place; `docs/reference/backoff.md` shows it. Delays grow by factor 2 with a jitter of 0.2
 * where an entry names no other.
 */
export const BACKOFFS = {
  /** A run of an operator failed, per object. */
  controller: { firstMs: 200, maxMs: 300_000 },
  /** A list or watch of an informer failed. */
  watch: { firstMs: 200, maxMs: 30_000 },
  /** A read request of the client got no response. Retried once. */
  lostResponse: constant(100, 0.2),
  /** Another process holds the lease, or a renewal failed. */
  leaderElection: constant(2_000, 0.2),
  /** Another client reverts the writes of an object. */
  contention: { firstMs: 1_000, maxMs: 300_000, jitter: 0 },
  /** The deletion of an object that an Operand no longer needs was rejected. */
  prune: constant(60_000),
  /** The Job of a preDelete hook of an Operand could not be started. */
  deletionHook: constant(10_000),
  /** An object is written in every run. */
  hotLoop: { firstMs: 1_000, maxMs: 60_000, jitter: 0 },
  /** A controller of the embedded server failed, per object. */
  serverController: { firstMs: 50, maxMs: 60_000, jitter: 0 },
  /** A pod of a simulated Job failed: the values of the Job controller of Kubernetes. */
  simulatedJob: { firstMs: 10_000, maxMs: 600_000, jitter: 0 },
  /** A container of a simulated pod exited: the values of the kubelet. */
  simulatedContainer: { firstMs: 10_000, maxMs: 300_000, jitter: 0 },
  /** A request of the fleet client failed. The jitter only extends the delay; a Retry-After of the server wins. */
  fleetRequest: { firstMs: 200, maxMs: Number.POSITIVE_INFINITY },
  /** A watch of the fleet client ended. */
  fleetWatch: { firstMs: 200, maxMs: 10_000 },
  /** A commit of a fleet change conflicted. The jitter spreads the delay from 0 to twice its base. */
  fleetConflict: { firstMs: 1, maxMs: 100, jitter: 1 },
  /** PostgreSQL is unreachable, within the timeout of the statement. */
  database: { firstMs: 20, maxMs: 500, jitter: 0.5 },
  /** The connection that receives commit notifications broke. */
  commitNotifications: constant(1_000, 0.5),
  /** The change hub of the fleet API could not read the feed. */
  changeFeed: constant(1_000),
  /** A request to RabbitMQ or NATS failed, within the timeout of the operation. */
  brokerRequest: { firstMs: 50, maxMs: 2_000 },
  /** The handler of a message failed. */
  message: { firstMs: 1_000, maxMs: 30_000 },
  /** The connection to NATS broke. Its client extends the delay by up to 100 ms, with TLS by up to 1 s. */
  natsConnection: constant(100),
  /** A NATS partition could not be read or declared. */
  natsPartition: { firstMs: 250, maxMs: 8_000, jitter: 0 },
  /** The connection to RabbitMQ broke. Its client waits a random time between the first delay and twice the base. */
  rabbitmqConnection: { firstMs: 100, maxMs: 2_000, jitter: 0 },
  /** A RabbitMQ channel broke. */
  rabbitmqChannel: constant(250),
  /** Dead letters that were read are not back in their queue. */
  rabbitmqDeadLetters: constant(20),
  /** The Sentinel could not start, because the store is unavailable. */
  sentinelStart: constant(1_000),
  /** A claim or a publication of the Sentinel failed. */
  sentinelClaim: { firstMs: 200, maxMs: 5_000 },
  /** The Sentinel could not store completed pulses. */
  sentinelCompletion: { firstMs: 100, maxMs: 5_000 },
  /** A polling Sentinel could not list resources. */
  sentinelList: { firstMs: 500, maxMs: 8_000, jitter: 0.1 },
  /** An adapter changes its verdict again and again. The maximum is the not-ready TTL of the kind. */
  flapping: { firstMs: 1_000, maxMs: 10_000, jitter: 0 },
  /** An API call of a YAML adapter failed. Defaults of `base_delay` and `max_delay`. */
  adapterCall: { firstMs: 1_000, maxMs: 30_000, jitter: 0.1 },
  /** A Job of a YAML adapter failed. */
  adapterJob: { firstMs: 10_000, maxMs: 1_800_000, jitter: 0 },
  /** A step adapter could not read its earlier reports. */
  adapterRecall: constant(5_000),
  /** An informer of the console failed. */
  consoleWatch: { firstMs: 200, maxMs: 5_000 },
  /** The console could not read the fleet. */
  consoleFleet: constant(2_000),
  /** The event stream of a console page broke. Sent to the browser in the field `retry`. */
  consoleStream: constant(1_000),
  /** The console refused the connection of a page. */
  consolePage: constant(1_500),
} as const satisfies Readonly<Record<string, BackoffLimits>>;
