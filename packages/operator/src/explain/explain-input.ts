import { parseApiVersion } from "@levelset/core/internal";
import type { KubeObject, ObjectKey } from "@levelset/core";
import type { RunJson } from "../manager/index.ts";
import type { ObjectRef } from "../engine/index.ts";
import type { EventSummary } from "./tree.ts";

/** Input of `explain`: an object, and the objects that it depends on, as they were read. */
export interface ExplainInput {
  readonly root: ObjectRef;
  /** Lookups by `objectRefId`. Objects that were not read are absent. */
  readonly lookups: ReadonlyMap<string, ObjectLookup>;
}

/** The result of reading one object. */
export type ObjectLookup =
  | FoundObject
  /** The object does not exist. */
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** An object as it was read. */
export interface LoadedObject {
  readonly object: KubeObject;
  /** Whether its kind has a status. */
  readonly hasStatus: boolean;
}

/** An existing object. */
export interface FoundObject extends LoadedObject {
  readonly kind: "seen";
  /** The last run of its operator, if known. */
  readonly run?: RunJson;
  /** The children that were found, or the dependencies of a pod. */
  readonly children: readonly LoadedObject[];
  /** The newest warnings about it, newest first. */
  readonly events: readonly EventSummary[];
  /** The kinds that could not be read, with reasons. */
  readonly unreadableKinds: readonly string[];
}

/** Returns an id of an object that does not depend on the API version. */
export function objectRefId(ref: Pick<ObjectRef, "apiVersion" | "kind"> & ObjectKey): string {
  const { group } = parseApiVersion(ref.apiVersion);
  return [group, ref.kind, ref.namespace ?? "", ref.name].join("/");
}
