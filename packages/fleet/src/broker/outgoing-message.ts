import type { PublishOptions } from "./broker.ts";
import { encodeCloudEvent, eventKeyOf } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";

/** An encoded message to publish. */
export interface OutgoingMessage {
  readonly body: Uint8Array;
  /** Determines the partition: the ordering key, or a unique value if there is none. */
  readonly partitionKey: string;
  /** Publishes with the same ordering key are serialised; undefined if unordered. */
  readonly orderingKey: string | undefined;
}

/** Validates and encodes an event, including its key. Throws `InvalidEventError`. */
export function encodeOutgoing(topic: string, event: CloudEvent, { key }: PublishOptions): OutgoingMessage {
  const keyed = key === undefined ? event : { ...event, partitionkey: key };
  const own = eventKeyOf(keyed);
  return {
    body: encodeCloudEvent(keyed),
    partitionKey: own ?? keyed.id,
    orderingKey: own === undefined ? undefined : `${topic}/${own}`,
  };
}
