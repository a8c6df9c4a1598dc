import { Event, EventV1 } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { Draft } from "./draft.ts";
import { builtinResource } from "./resource.ts";
import type { BuiltinFacts, Resource } from "./resource.ts";

/** Names of the fields that differ: in events.k8s.io, in the core group. */
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

/** The events of events.k8s.io, which are those of the core group. */
export function eventAlias(facts: BuiltinFacts): Resource {
  const core = builtinResource(Event, facts);
  const resource = builtinResource(EventV1, facts);
  return {
    ...resource,
    id: core.id,
    // Its objects have rules in the form of the core group only.
    ruledAs: "",
    alias: {
      // Stricter rules hold for what is written through the newer group.
      home: { ...core, ruledAs: resource.ruledAs },
      toHome: (draft) => ({ ...renamed(draft, TO_HOME), apiVersion: "v1", kind: draft.kind, metadata: draft.metadata }),
      fromHome,
    },
  };
}

function fromHome(object: ApiObject): ApiObject {
  const { kind, metadata } = object;
  return { ...renamed(object, FROM_HOME), apiVersion: "events.k8s.io/v1", kind, metadata };
}

function renamed(from: Draft | ApiObject, names: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]));
}
