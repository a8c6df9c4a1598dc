import type { JsonObject } from "@levelset/core";
import type { CloudEvent } from "../broker/index.ts";

/** Who sends pulses. */
const PULSE_SOURCE = "hyperfleet-sentinel";

/** What a pulse is made of. */
export interface PulseParts {
  /** A UUID of version 7. */
  readonly id: string;
  readonly kind: string;
  readonly data: JsonObject;
  /** The adapters whose report is due; empty where that is not known. */
  readonly dueAdapters: readonly string[];
  readonly traceparent: string | undefined;
}

/**
 * A pulse as a CloudEvent. It has no time: the broker's is as good, and the same pulse sent twice should be the same. `dueadapters` is an
 * extension of ours for adapters that would rather not look without need; those who do not know it do look.
 */
export function pulseEvent({ id, kind, data, dueAdapters, traceparent }: PulseParts): CloudEvent {
  return {
    specversion: "1.0",
    id,
    source: PULSE_SOURCE,
    type: `com.redhat.hyperfleet.${kind.toLowerCase()}.reconcile`,
    datacontenttype: "application/json",
    ...(dueAdapters.length === 0 ? {} : { dueadapters: dueAdapters.join(",") }),
    ...(traceparent === undefined ? {} : { traceparent }),
    data,
  };
}
