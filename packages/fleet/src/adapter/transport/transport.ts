import type { JsonObject } from "@levelset/core";
import type { PropagationPolicy } from "../task/index.ts";
import type { Mark } from "./marks.ts";
import type { Claim, Ownership } from "./ownership.ts";

/** Where a resource of a task is kept, and how it is found there. Everything in it is rendered. */
export interface Target {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly by:
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "labels"; readonly labels: Readonly<Record<string, string>> };
  /** The consumer that a ManifestWork is for. */
  readonly targetCluster?: string;
}

/** What became of a manifest. */
export type AppliedAs = "created" | "updated" | "recreated" | "unchanged";

/** How to apply. */
export interface ApplyOptions extends Claim {
  /** Delete it and make it anew, instead of changing it. */
  readonly isRecreated: boolean;
  readonly signal: AbortSignal;
}

/** How to delete. */
export interface RemoveOptions extends Claim {
  readonly policy: PropagationPolicy;
  readonly signal: AbortSignal;
}

/**
 * A way to keep resources somewhere. Methods reject with a `TransportFailure`. `find` is sure of what it says: an empty list means that there is none,
 * never that it could not be seen.
 *
 * Only objects that the claim covers are changed or deleted. The check and the write are one step: an object that appears or changes its owner
 * after it was read is left as it is.
 */
export interface Transport {
  readonly kind: "kubernetes" | "maestro";
  /** Every object that matches, also those of other owners: the one of the highest generation first, then by name. */
  find(target: Target, signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Whose an object is. */
  ownership(object: JsonObject, mark: Mark): Ownership;
  /**
   * Brings the object of the manifest's name to what the manifest says, and only what the manifest names is touched. `live` was found for this resource and is
   * covered by the claim; its name may be another one. Rejects with `NotOurs` if the claim does not cover the object of that name, and
   * with a `ContestedFailure` where another client keeps undoing what is applied.
   */
  apply(
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }>;
  /** Requests deletion of the object that was found. Resolves also if it is gone already, or another owner's object is in its place. */
  remove(target: Target, live: JsonObject, options: RemoveOptions): Promise<void>;
  /**
   * Calls back with the id of the fleet's resource when something that was applied for it has changed since, or when the next write of a contested
   * object is due. Returns what ends it.
   */
  onChange?(changed: (resourceId: string) => void): () => void;
}
