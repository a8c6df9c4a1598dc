import { checkBrokerName } from "../broker-name.ts";

/**
 * The number of partitions of a topic's keys. Part of the wire contract: all processes must agree. At most one message
 * of a partition is in flight, so it limits how many messages of a subscription are handled concurrently in all
 * processes.
 */
export const NATS_PARTITIONS: number = 64;

/** The server-side names of a topic. */
export interface NatsTopic {
  readonly stream: string;
  readonly subjects: string;
  /** The stream for the dead letters of all subscriptions. */
  readonly deadStream: string;
  readonly deadSubjects: string;
  /** The subject of messages in a partition for all subscriptions. */
  readonly subject: (partition: number) => string;
}

/** The server-side names of a subscription. */
export interface NatsSubscriptionNames {
  /** The topic's stream. */
  readonly stream: string;
  readonly deadSubject: string;
  /** The durable consumer of a partition. */
  readonly durable: (partition: number) => string;
  /** The subject of messages in a partition for this subscription only: a replay. */
  readonly subject: (partition: number) => string;
  /** The filter for all messages of a partition, whatever the audience. */
  readonly filter: (partition: number) => string;
  /** Returns true if a message on this subject is addressed to this subscription. */
  readonly isForSubscription: (subject: string) => boolean;
}

/**
 * The stream is the topic. A subject is `levelset.{topic}.{audience}.{partition}`; the audience is all subscriptions or
 * one. Servers before 2.10 support one filter subject per consumer, so a consumer gets all messages of its partition
 * and skips those for other subscriptions.
 */
export function natsTopic(topic: string): NatsTopic {
  const token = tokenOf(checkBrokerName("topic", topic));
  return {
    stream: token,
    subjects: `levelset.${token}.>`,
    deadStream: `${token}=dlq`,
    deadSubjects: `levelset-dlq.${token}.*`,
    subject: (partition) => `levelset.${token}.all.${partition}`,
  };
}

/** Returns the names of a subscription. */
export function natsSubscription(topic: string, subscription: string): NatsSubscriptionNames {
  const topicToken = tokenOf(checkBrokerName("topic", topic));
  const token = tokenOf(checkBrokerName("subscription", subscription));
  const audiences = ["all", `=${token}`];
  return {
    stream: topicToken,
    deadSubject: `levelset-dlq.${topicToken}.${token}`,
    durable: (partition) => `${token}=${partition}`,
    subject: (partition) => `levelset.${topicToken}.=${token}.${partition}`,
    filter: (partition) => `levelset.${topicToken}.*.${partition}`,
    isForSubscription: (subject) => audiences.includes(subject.split(".")[2] ?? ""),
  };
}

/** Encodes a name as one subject token: dots separate tokens. Names never contain "=". */
function tokenOf(name: string): string {
  return name.replaceAll(".", "=2E");
}
