import type { PublishOptions } from "./broker.ts";
import { encodeEvent, keyOf } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";

/** A message on its way to a server. */
export interface Outgoing {
  readonly body: Uint8Array;
  /** Says its slot: its key, or something of its own where it has none. */
  readonly spread: string;
  /** The lane in which publishes wait for each other; undefined when in none. */
  readonly lane: string | undefined;
}

/** Checks and encodes an event, with its key in it. */
export function outgoing(topic: string, event: CloudEvent, { key }: PublishOptions): Outgoing {
  const keyed = key === undefined ? event : { ...event, partitionkey: key };
  const own = keyOf(keyed);
  return { body: encodeEvent(keyed), spread: own ?? keyed.id, lane: own === undefined ? undefined : `${topic}/${own}` };
}
