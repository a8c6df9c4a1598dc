import type { KubeObject } from "@levelset/core";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Selects objects of a kind. Empty: all objects. */
export interface ObjectSelector {
  readonly namespace?: string | undefined;
  /** A label selector, `app=shop,tier!=cache`. */
  readonly labels?: string | undefined;
  /** A field selector, `metadata.name=shop`. */
  readonly fields?: string | undefined;
}

/** Options of a list. */
export interface ListOptions extends ObjectSelector, CallOptions {
  /** Maximum number of objects per page; the page has a token for the next one. */
  readonly limit?: number;
  readonly continue?: string | undefined;
  /** Minimum or exact version of the list; see `resourceVersionMatch`. Default: the latest. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

/** Options of a watch. */
export interface WatchOptions extends ObjectSelector, CallOptions {
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  /** Sends the existing objects as ADDED events, then the initial-events-end bookmark (KEP-3157), then changes. */
  readonly sendInitialEvents?: boolean;
  /** Called when the request is sent: after it has waited for the limits of the client. */
  readonly onSend?: () => void;
  /** Called when the response has started. The first event may come much later. */
  readonly onOpen?: () => void;
}

/** One page of a list. */
export interface ListPage<O extends KubeObject> {
  readonly items: readonly O[];
  readonly resourceVersion: string;
  /** Token for the next page; absent on the last page. */
  readonly continue?: string;
}

/** An event of a watch. A bookmark only carries the current resourceVersion of the stream. */
export type WatchEvent<O extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O }
  | {
      readonly type: "BOOKMARK";
      readonly resourceVersion: string;
      /** Whether all initial objects have been sent. */
      readonly endsInitial: boolean;
    };

/** The list and watch requests of one kind. */
export interface ListWatch<O extends KubeObject> {
  /** The kind, for logs. */
  readonly kind: string;
  readonly list: (options: ListOptions) => Promise<ListPage<O>>;
  readonly watch: (options: WatchOptions) => AsyncIterable<readonly WatchEvent<O>[]>;
}
