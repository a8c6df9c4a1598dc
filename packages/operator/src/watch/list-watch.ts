import type { KubeObject } from "@levelset/core";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
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

/** One page of a list. */
export interface Page<O extends KubeObject> {
  readonly items: readonly O[];
  readonly resourceVersion: string;
  /** Asks for the next page; absent on the last. */
  readonly continue?: string;
}

/** An event of a watch. A bookmark only reports how far the stream has come. */
export type WatchEvent<O extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O }
  | {
      readonly type: "BOOKMARK";
      readonly resourceVersion: string;
      /** All objects that were there at the start have been sent. */
      readonly endsInitial: boolean;
    };

/** The requests by which the objects of one kind are followed. */
export interface ListWatch<O extends KubeObject> {
  /** The kind, for logs. */
  readonly kind: string;
  readonly list: (options: ListOptions) => Promise<Page<O>>;
  readonly watch: (options: WatchOptions) => AsyncIterable<readonly WatchEvent<O>[]>;
}
