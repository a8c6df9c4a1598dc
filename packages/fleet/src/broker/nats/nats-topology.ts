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
import { LETTERS_MAX } from "../dead-letter.ts";
import type { NatsSubscriptionNames, NatsTopic } from "./nats-names.ts";

/** How long the server remembers which publishes it has seen: longer than a publish is tried. */
const DUPLICATE_WINDOW_MS = 120_000;

/** The server's code for a stream that is there with another configuration. */
const STREAM_EXISTS = 10_058;

/** What an administrator may choose. */
export interface NatsTopology {
  /** On how many servers of a cluster streams are kept. */
  readonly replicas: number;
  /** For how long a message may be out without a sign of life of its consumer. */
  readonly ackWaitMs: number;
}

/** Makes the streams of a topic unless they are there. Messages stay until every subscription has acknowledged them. */
export async function declareTopic(jsm: JetStreamManager, topic: NatsTopic, topology: NatsTopology): Promise<void> {
  const kept = { storage: StorageType.File, num_replicas: topology.replicas };
  await addStream(jsm, {
    ...kept,
    name: topic.stream,
    subjects: [topic.subjects],
    retention: RetentionPolicy.Interest,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
  await addStream(jsm, {
    ...kept,
    name: topic.deadStream,
    subjects: [topic.deadSubjects],
    retention: RetentionPolicy.Limits,
    // A subject is a subscription.
    max_msgs_per_subject: LETTERS_MAX,
    discard: DiscardPolicy.Old,
  });
}

/**
 * Makes the durable consumer of a slot unless it is there. It lets one message out at a time, to whichever
 * process asks: this alone keeps the messages of a key in order, over all processes.
 */
export function declareSlot(
  jsm: JetStreamManager,
  names: NatsSubscriptionNames,
  slot: number,
  topology: NatsTopology,
): Promise<ConsumerInfo> {
  return jsm.consumers.add(names.stream, {
    durable_name: names.durable(slot),
    filter_subject: names.filter(slot),
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
    // Kept differently by an administrator: theirs to decide.
    if (!(error instanceof JetStreamApiError && error.code === STREAM_EXISTS)) throw error;
  }
}
