import type { CallOptions, ObjectSelector } from "../watch/index.ts";
import type { Subresource } from "./path.ts";

export type { CallOptions, ListOptions, ObjectSelector, WatchOptions } from "../watch/index.ts";

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  readonly subresource?: Subresource;
  /** The server validates the request and responds, but does not store the object. */
  readonly dryRun?: boolean;
  /** How the server handles unknown fields. Server default: Warn. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Overrides the field manager of the client. */
  readonly fieldManager?: string;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes ownership of fields of other managers instead of failing with Conflict. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /** Precondition: the UID of the object. */
  readonly uid?: string;
  /** Precondition: the resourceVersion of the object. */
  readonly resourceVersion?: string;
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  /** Seconds that a pod gets to terminate; 0 deletes it at once. */
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
  /** Whether to retry after a 429 response. Default true. */
  readonly retryThrottled?: boolean;
}

/** Options of a collection delete. */
export type DeleteCollectionOptions = DeleteOptions & ObjectSelector;
