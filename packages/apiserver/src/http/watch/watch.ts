import type { Clock, Random } from "@levelset/core";
import { versionedObjectOf } from "../../registry/index.ts";
import type { Registry, VersionedObject } from "../../registry/index.ts";
import type { StoreScope } from "../../store/index.ts";
import { streamResponse } from "../api-response.ts";
import type { ApiResponse } from "../api-response.ts";
import { toWatchEvent } from "./watch-event.ts";
import { WatchEventEncoder } from "./watch-event-encoder.ts";
import { parseListOptions } from "../request/list-options.ts";
import type { ListOptions } from "../request/list-options.ts";
import type { ListScope } from "../list.ts";
import type { ResponseEncoder } from "../response-encoder.ts";
import { resourceVersionParam, selectionPredicateOf } from "../request/query-params.ts";
import type { ObjectMatcher } from "../request/query-params.ts";
import { WatchStream } from "./watch-stream.ts";

/** Dependencies of a watch. */
export interface WatchContext {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly responseEncoder: ResponseEncoder;
  readonly signal: AbortSignal;
  /** Counts the watch. The returned function is called once, after the watch has ended. */
  readonly onOpen: () => () => void;
  /** Interval of bookmarks. */
  readonly bookmarkMs?: number | undefined;
}

const SHORTEST_DEFAULT_SECONDS = 1800;
const BOOKMARK_MS = 60_000;

/** Handles a watch request with a stream of events. Parameters are validated before the stream starts. */
export function handleWatch(context: WatchContext, scope: ListScope, query: URLSearchParams): ApiResponse {
  const { registry, random } = context;
  const options = parseListOptions(query, true);
  const { matches } = selectionPredicateOf(query, scope.resource);
  const where: StoreScope = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const requested = { revision: resourceVersionParam(query) ?? 0, sendInitialEvents: options.sendInitialEvents };
  const start = startOf(registry, scope, where, requested, matches);
  const timeoutSeconds = options.timeoutSeconds || Math.round(SHORTEST_DEFAULT_SECONDS * (1 + random.next()));
  const stream = new WatchStream({
    clock: context.clock,
    responseEncoder: context.responseEncoder,
    encoder: linesOf(registry),
    signal: context.signal,
    onOpen: context.onOpen,
    timeoutMs: Math.max(timeoutSeconds, 0) * 1000,
    bookmarks: options.allowWatchBookmarks,
    bookmarkMs: context.bookmarkMs ?? BOOKMARK_MS,
    initial: start.initial,
    sendInitialEventsEnd: start.initialEnd && options.allowWatchBookmarks,
    from: start.revision,
    revision: () => registry.store.revision,
    // A future revision was issued before the store was reset, so its client must list again, too.
    notify: (notify) =>
      start.revision > registry.store.revision
        ? { kind: "compacted", oldest: registry.store.revision }
        : registry.store.watch(where, start.revision, notify),
    translate: (event) => toWatchEvent(registry.catalog.latest(scope.resource), event, matches),
  });
  return streamResponse(stream.body);
}

const lines = new WeakMap<Registry, WatchEventEncoder>();

/** Returns the event encoder shared by all watches of a server. */
function linesOf(registry: Registry): WatchEventEncoder {
  const found = lines.get(registry) ?? new WatchEventEncoder();
  lines.set(registry, found);
  return found;
}

/** Start of a watch: the initial objects, if requested, and the revision after which events are sent. */
interface Start {
  readonly initial: readonly VersionedObject[];
  /** Whether a bookmark marks the end of `initial`. */
  readonly initialEnd: boolean;
  readonly revision: number;
}

function startOf(
  registry: Registry,
  scope: ListScope,
  where: StoreScope,
  requested: Pick<ListOptions, "sendInitialEvents"> & { readonly revision: number },
  matches: ObjectMatcher,
): Start {
  const { sendInitialEvents, revision } = requested;
  const wantsState = sendInitialEvents ?? revision === 0;
  if (!wantsState) {
    return { initial: [], initialEnd: false, revision: revision === 0 ? registry.store.revision : revision };
  }
  const listing = registry.store.list(where);
  const records = listing.kind === "listing" ? listing.records : [];
  const initial = records.map((record) => versionedObjectOf(scope.resource, record)).filter((view) => matches(view));
  return { initial, initialEnd: sendInitialEvents === true, revision: registry.store.revision };
}
