import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { WatchFailure } from "../cache/index.ts";

/**
 * How an object follows others whose kinds only its spec tells: all that carry a label, and whom a change of one of them wakes. A step
 * declares it under `follows`, and names the kinds with `req.follow`.
 */
export interface FollowRule<K extends AnyCustomKind = AnyCustomKind> {
  /** A label selector. */
  readonly labels: string;
  /** The keys of our objects that a changed one has to do with. `ours` are all of them. */
  map(this: void, changed: KubeObject, ours: Iterable<ObjectOf<K>>): readonly ObjectKey[];
}

/** The local copies of what an object follows. Reading those of a kind that cannot be watched throws: they are not what is there. */
export interface Followed {
  /** Why a kind cannot be watched now; undefined when its copies can be read. The object gets another run when that changes. */
  failure(kind: Kind): WatchFailure | undefined;
  /** The newest known version, frozen; undefined when there is none with the label. */
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  /** All known objects of a kind with the label, frozen. */
  list(kind: Kind): readonly KubeObject[];
}
