import type { CallOptions, Selection } from "../watch/index.ts";
import type { Subresource } from "./path.ts";

export type { CallOptions, ListOptions, Selection, WatchOptions } from "../watch/index.ts";

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  readonly subresource?: Subresource;
  /** The server checks and answers as if it had written, and does not. */
  readonly dryRun?: boolean;
  /** What the server does about unknown fields. Its own default: Warn. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Instead of the client's own. */
  readonly fieldManager?: string;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields from other owners instead of giving way. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /** Only this incarnation. */
  readonly uid?: string;
  /** Only this version. */
  readonly resourceVersion?: string;
  readonly propagation?: "Foreground" | "Background" | "Orphan";
  /** Seconds that a pod gets to end; 0 at once. */
  readonly graceSeconds?: number;
  readonly dryRun?: boolean;
  /** False: a request that the server throttles (429) fails at once and is not sent again. Default true. */
  readonly retryThrottled?: boolean;
}

/** Options of a delete of many. */
export type DeleteCollectionOptions = DeleteOptions & Selection;
