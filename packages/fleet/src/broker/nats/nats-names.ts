import { checkName } from "../name.ts";

/**
 * Into how many slots the keys of a topic fall. Part of the wire contract: all processes must agree. At most one message of a slot is
 * out at a time, so it bounds how many messages of a subscription are handled at once, in all processes.
 */
export const NATS_SLOTS: number = 64;

/** What a topic is called on the server. */
export interface NatsTopic {
  readonly stream: string;
  readonly subjects: string;
  /** The stream of the dead letters of all its subscriptions. */
  readonly deadStream: string;
  readonly deadSubjects: string;
  /** What everyone is told about a slot. */
  readonly subject: (slot: number) => string;
}

/** What a subscription is called. */
export interface NatsSubscriptionNames {
  /** The topic's stream. */
  readonly stream: string;
  readonly deadSubject: string;
  /** The durable consumer of a slot. */
  readonly durable: (slot: number) => string;
  /** What only this subscription is told about a slot: a replay. */
  readonly subject: (slot: number) => string;
  /** All that is said about a slot, to whomever. */
  readonly filter: (slot: number) => string;
  /** Whether a subject is meant for this subscription. */
  readonly isAddressee: (subject: string) => boolean;
}

/**
 * The stream is the topic. A subject is `levelset.{topic}.{audience}.{slot}`; the audience is everyone, or one subscription: servers
 * before 2.10 filter by one subject per consumer, so a consumer gets all of its slot and passes over what is meant for another.
 */
export function natsTopic(topic: string): NatsTopic {
  const token = tokenOf(checkName("topic", topic));
  return {
    stream: token,
    subjects: `levelset.${token}.>`,
    deadStream: `${token}=dlq`,
    deadSubjects: `levelset-dlq.${token}.*`,
    subject: (slot) => `levelset.${token}.all.${slot}`,
  };
}

/** Names of a subscription. */
export function natsSubscription(topic: string, subscription: string): NatsSubscriptionNames {
  const topicToken = tokenOf(checkName("topic", topic));
  const token = tokenOf(checkName("subscription", subscription));
  const audiences = ["all", `=${token}`];
  return {
    stream: topicToken,
    deadSubject: `levelset-dlq.${topicToken}.${token}`,
    durable: (slot) => `${token}=${slot}`,
    subject: (slot) => `levelset.${topicToken}.=${token}.${slot}`,
    filter: (slot) => `levelset.${topicToken}.*.${slot}`,
    isAddressee: (subject) => audiences.includes(subject.split(".")[2] ?? ""),
  };
}

/** A name as one token of a subject: dots part tokens. No name holds "=". */
function tokenOf(name: string): string {
  return name.replaceAll(".", "=2E");
}
