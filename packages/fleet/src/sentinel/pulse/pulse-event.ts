import type { JsonObject } from "@levelset/core";
import type { CloudEvent } from "../../broker/index.ts";

/** CloudEvent source of pulses. */
const PULSE_SOURCE = "hyperfleet-sentinel";

/** Contents of a pulse. */
export interface PulseParts {
  /** UUID version 7. */
  readonly id: string;
  readonly kind: string;
  readonly data: JsonObject;
  /** Adapters whose report is due; empty if unknown. */
  readonly dueAdapters: readonly string[];
  readonly traceparent: string | undefined;
}

/**
 * Builds the CloudEvent of a pulse. It has no time attribute, so that a pulse sent twice is identical; the broker's
 * timestamp suffices. The extension `dueadapters` lets adapters skip unnecessary runs; adapters that do not know it
 * always run.
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
