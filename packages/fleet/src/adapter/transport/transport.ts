import type { JsonObject } from "@levelset/core";
import type { PropagationPolicy } from "../task/index.ts";
import type { OwnerInfo } from "./owner-labels.ts";
import type { OwnerClaim, Ownership } from "./ownership.ts";

/** Where an object is stored and how it is found. All values are rendered. */
export interface ObjectLocator {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly by:
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "labels"; readonly labels: Readonly<Record<string, string>> };
  /** The consumer of a ManifestWork. */
  readonly targetCluster?: string;
}

/** Result of an apply. */
export type TransportApplyResult = "created" | "updated" | "recreated" | "unchanged";

/** Options of `apply`. */
export interface TransportApplyOptions extends OwnerClaim {
  /** Delete and create the object again instead of updating it. */
  readonly recreate: boolean;
  readonly signal: AbortSignal;
}

/** Options of `delete`. */
export interface RemoveOptions extends OwnerClaim {
  readonly policy: PropagationPolicy;
  readonly signal: AbortSignal;
}

/**
 * Stores the objects of an adapter. Methods reject with an `AdapterTransportError`. `find` is definite: an empty list
 * means that no object exists, never that it could not be read.
 *
 * Only objects covered by the claim are changed or deleted. Check and write are atomic: an object that appears or
 * changes its owner after it was read is left unchanged.
 */
export interface Transport {
  readonly kind: "kubernetes" | "maestro";
  /** Returns every match, including objects of other owners, by descending generation, then by name. */
  find(target: ObjectLocator, signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Returns the ownership of an object. */
  ownership(object: JsonObject, mark: OwnerInfo): Ownership;
  /**
   * Applies a manifest to the object of its name; only fields of the manifest are written. `live` was found for this
   * resource and is covered by the claim; its name may differ. Rejects with a `NotOwnedError` if the claim does not
   * cover the object of that name, and with a `ContestedObjectError` if another client keeps reverting it.
   */
  apply(
    target: ObjectLocator,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }>;
  /**
   * Requests deletion of a found object. Resolves if it is gone already, or was replaced by an object of another
   * owner.
   */
  delete(target: ObjectLocator, live: JsonObject, options: RemoveOptions): Promise<void>;
  /**
   * Calls back with the ID of the fleet resource when an applied object has changed, or when the next write of a
   * contested object is due. Returns the unsubscribe function.
   */
  onChange?(changed: (resourceId: string) => void): () => void;
}
