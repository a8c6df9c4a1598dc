import type { JsonObject } from "@levelset/core";
import type { PropagationPolicy } from "../task/index.ts";

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

/** For whom something is kept. Written onto it, so that a change of it leads back to the resource of the fleet. */
export interface Mark {
  readonly adapter: string;
  /** The id of the fleet's resource, and its generation as far as the pulse tells. */
  readonly resourceId: string;
  readonly generation: number | undefined;
}

/** How to apply. */
export interface ApplyOptions {
  readonly mark: Mark;
  /** Delete it and make it anew, instead of changing it. */
  readonly isRecreated: boolean;
  readonly signal: AbortSignal;
}

/**
 * A way to keep resources somewhere. Methods reject with a `TransportFailure`. `find` is sure of what it says: undefined means that there is none,
 * never that it could not be seen.
 */
export interface Transport {
  readonly kind: "kubernetes" | "maestro";
  /** By labels: the one of the highest generation, then the first by name. */
  find(target: Target, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Brings it to what the manifest says. Only what the manifest names is touched. */
  apply(
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }>;
  /** Asks for its deletion, of exactly the one that was found. Resolves also if it is gone already. */
  remove(target: Target, live: JsonObject, policy: PropagationPolicy, signal: AbortSignal): Promise<void>;
  /** Calls back with the id of the fleet's resource when something that was applied for it has changed since. Returns what ends it. */
  onChange?(changed: (resourceId: string) => void): () => void;
}

/** A transport could not do what was asked. Transient: the same may succeed later without any change. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTransient = isTransient;
  }
}
