import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import type { ConsumerInfo, JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { DEAD_LETTERS_MAX } from "../dead-letter.ts";
import type { NatsSubscriptionNames, NatsTopic } from "./nats-names.ts";

/** The deduplication window of the server: longer than a publish is retried. */
const DUPLICATE_WINDOW_MS = 120_000;

/** JetStream error code of a stream that exists with a different configuration. */
const STREAM_EXISTS = 10_058;

/** Settings that an administrator may choose. */
export interface NatsTopology {
  /** The number of stream replicas. */
  readonly replicas: number;
  /** How long a message may be unacknowledged without a progress signal. */
  readonly ackWaitMs: number;
}

/**
 * Creates the streams of a topic unless they exist. Messages are retained until every subscription has acknowledged
 * them.
 */
export async function declareNatsTopic(jsm: JetStreamManager, topic: NatsTopic, topology: NatsTopology): Promise<void> {
  const storage = { storage: StorageType.File, num_replicas: topology.replicas };
  await addStream(jsm, {
    ...storage,
    name: topic.stream,
    subjects: [topic.subjects],
    retention: RetentionPolicy.Interest,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
  await addStream(jsm, {
    ...storage,
    name: topic.deadStream,
    subjects: [topic.deadSubjects],
    retention: RetentionPolicy.Limits,
    // Each subscription has its own subject.
    max_msgs_per_subject: DEAD_LETTERS_MAX,
    discard: DiscardPolicy.Old,
  });
}

/**
 * Creates the durable consumer of a partition unless it exists. It has at most one message in flight, for whichever
 * process pulls: this alone preserves the order of a key's messages across all processes.
 */
export function declareNatsPartition(
  jsm: JetStreamManager,
  names: NatsSubscriptionNames,
  partition: number,
  topology: NatsTopology,
): Promise<ConsumerInfo> {
  return jsm.consumers.add(names.stream, {
    durable_name: names.durable(partition),
    filter_subject: names.filter(partition),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(topology.ackWaitMs),
    deliver_policy: DeliverPolicy.New,
    max_ack_pending: 1,
    max_deliver: -1,
  });
}

async function addStream(
  jsm: JetStreamManager,
  config: Parameters<JetStreamManager["streams"]["add"]>[0],
): Promise<void> {
  try {
    await jsm.streams.add(config);
  } catch (error) {
    // An administrator configured the stream differently; this is accepted.
    if (!(error instanceof JetStreamApiError && error.code === STREAM_EXISTS)) throw error;
  }
}
