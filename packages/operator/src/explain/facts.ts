import { parseApiVersion } from "@levelset/core";
import type { KubeObject, ObjectKey } from "@levelset/core";
import type { RunJson } from "../manager/index.ts";
import type { ObjectRef } from "../step/index.ts";
import type { EventNote } from "./tree.ts";

/** What was read of the objects around the one that is asked about. `explain` makes a tree of it. */
export interface Facts {
  readonly root: ObjectRef;
  /** By `refId`. Objects that nobody looked at are not there. */
  readonly sights: ReadonlyMap<string, Sight>;
}

/** What came of looking at one object. */
export type Sight =
  | Seen
  /** There is no such object. */
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** An object as it was read. */
export interface ReadObject {
  readonly object: KubeObject;
  /** Whether its kind has a status of its own. */
  readonly hasStatus: boolean;
}

/** An object that is there. */
export interface Seen extends ReadObject {
  readonly kind: "seen";
  /** The last run of its operator, where one was found. */
  readonly run?: RunJson;
  /** What it owns, or a pod uses, as far as that was looked for. */
  readonly children: readonly ReadObject[];
  /** The newest warnings about it, newest first. */
  readonly events: readonly EventNote[];
  /** What could not be looked at, and why. */
  readonly blind: readonly string[];
}

/** Tells objects apart, whatever version they are read in. */
export function refId(ref: Pick<ObjectRef, "apiVersion" | "kind"> & ObjectKey): string {
  const { group } = parseApiVersion(ref.apiVersion);
  return [group, ref.kind, ref.namespace ?? "", ref.name].join("/");
}
