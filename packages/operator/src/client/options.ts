import type { Subresource } from "./path.ts";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

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

/** Which objects of a kind. All of them when empty. */
export interface Selection {
  readonly namespace?: string | undefined;
  /** A label selector, `app=shop,tier!=cache`. */
  readonly labels?: string | undefined;
  /** A field selector, `metadata.name=shop`. */
  readonly fields?: string | undefined;
}

/** Options of a list. */
export interface ListOptions extends Selection, CallOptions {
  /** At most so many objects; the answer says how to go on. */
  readonly limit?: number;
  readonly continue?: string | undefined;
  /** How new the answer must be; see `resourceVersionMatch`. Default: the newest. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

/** Options of a watch. */
export interface WatchOptions extends Selection, CallOptions {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  /** First the objects that are there, as ADDED, then a bookmark that marks their end, then what happens. */
  readonly sendInitialEvents?: boolean;
  /** Called when the server has answered: events may be long in coming. */
  readonly onOpen?: () => void;
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
