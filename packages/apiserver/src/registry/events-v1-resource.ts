import { Event, EventV1 } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";
import { builtinResource } from "./resource.ts";
import type { BuiltinResourceOptions, Resource } from "./resource.ts";

/** Renamed fields: name in events.k8s.io/v1, name in core/v1 (`pkg/apis/events/v1/conversion.go`, Kubernetes 1.36). */
const RENAMED: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];

const TO_HOME: ReadonlyMap<string, string> = new Map(RENAMED);
const FROM_HOME: ReadonlyMap<string, string> = new Map(RENAMED.map(([there, here]) => [here, there]));

/** Events of events.k8s.io/v1, stored as events of the core group. */
export function eventsV1Resource(facts: BuiltinResourceOptions): Resource {
  const core = builtinResource(Event, facts);
  const resource = builtinResource(EventV1, facts);
  return {
    ...resource,
    id: core.id,
    // Validation applies to the stored form only.
    strategyId: "",
    alias: {
      // Writes through events.k8s.io/v1 are validated more strictly.
      storageResource: { ...core, strategyId: resource.strategyId },
      toStorage: (draft) => ({
        ...renamed(draft, TO_HOME),
        apiVersion: "v1",
        kind: draft.kind,
        metadata: draft.metadata,
      }),
      fromStorage: fromHome,
    },
  };
}

function fromHome(object: ApiObject): ApiObject {
  const { kind, metadata } = object;
  return { ...renamed(object, FROM_HOME), apiVersion: "events.k8s.io/v1", kind, metadata };
}

function renamed(
  from: UnvalidatedObject | ApiObject,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]));
}
