import { formatKey, objectKeyOf } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import type { ListPage, WatchEvent } from "./list-watch.ts";
import { flatten } from "./batches.ts";
import type { Batches } from "./batches.ts";
import { stripManagedFields } from "./strip-managed-fields.ts";

/**
 * State of a list and watch, with a pure transition function: list the collection, page by page or as the initial
 * events of a watch, then watch it. The reflector performs the requests that the state needs and passes the results to
 * `nextWatchState`.
 */
export type WatchState<O extends KubeObject> =
  /** No list has started. */
  | { readonly phase: "empty" }
  | { readonly phase: "listing"; readonly continueToken: string; readonly collected: Batches<O> }
  /** A watch is sending its initial events. */
  | { readonly phase: "streaming"; readonly collected: Batches<WatchEvent<O>> }
  | { readonly phase: "watching"; readonly resourceVersion: string };

/** An input of the state machine. */
export type WatchInput<O extends KubeObject> =
  | { readonly kind: "page"; readonly page: ListPage<O> }
  | { readonly kind: "events"; readonly events: readonly WatchEvent<O>[] }
  /** The connection was closed by the server, by us or by a network failure. */
  | { readonly kind: "disconnected" }
  /** The resourceVersion or the continue token has expired (410 Gone). */
  | { readonly kind: "expired" };

/** A change that the store must apply, in order. */
export type StoreChange<O extends KubeObject> =
  | { readonly kind: "replace"; readonly objects: readonly O[]; readonly resourceVersion: string }
  | { readonly kind: "put"; readonly object: O }
  | { readonly kind: "remove"; readonly object: O };

/** A transition. */
export interface Transition<O extends KubeObject> {
  readonly state: WatchState<O>;
  readonly changes: readonly StoreChange<O>[];
}

/** The initial state, also used for relists. */
export const INITIAL_WATCH_STATE: { readonly phase: "empty" } = { phase: "empty" };

/** Computes one transition. A complete list is passed to the store at once, so readers never see a partial one. */
export function nextWatchState<O extends KubeObject>(state: WatchState<O>, input: WatchInput<O>): Transition<O> {
  switch (input.kind) {
    case "expired":
      return { state: INITIAL_WATCH_STATE, changes: [] };
    case "disconnected":
      // A watch resumes from its resourceVersion; an incomplete streamed list must restart.
      return { state: state.phase === "streaming" ? INITIAL_WATCH_STATE : state, changes: [] };
    case "page":
      return nextPage(state, input.page);
    case "events":
      return state.phase === "watching"
        ? informer(state.resourceVersion, input.events)
        : streaming(state.phase === "streaming" ? state.collected : undefined, input.events);
    default:
      return unreachable(input);
  }
}

function nextPage<O extends KubeObject>(state: WatchState<O>, page: ListPage<O>): Transition<O> {
  const before = state.phase === "listing" ? state.collected : undefined;
  const collected = { before, latest: page.items.map(stripManagedFields) };
  if (page.continue !== undefined) {
    return { state: { phase: "listing", continueToken: page.continue, collected }, changes: [] };
  }
  const { resourceVersion } = page;
  const objects = flatten(collected);
  return { state: { phase: "watching", resourceVersion }, changes: [{ kind: "replace", objects, resourceVersion }] };
}

function streaming<O extends KubeObject>(
  before: Batches<WatchEvent<O>> | undefined,
  events: readonly WatchEvent<O>[],
): Transition<O> {
  const end = events.findIndex((event) => event.type === "BOOKMARK" && event.endsInitial);
  const bookmark = events[end];
  if (bookmark?.type !== "BOOKMARK") {
    return { state: { phase: "streaming", collected: { before, latest: events.map(slimEvent) } }, changes: [] };
  }
  const { resourceVersion } = bookmark;
  const objects = remaining(flatten({ before, latest: events.slice(0, end) }));
  const rest = informer<O>(resourceVersion, events.slice(end + 1));
  return { state: rest.state, changes: [{ kind: "replace", objects, resourceVersion }, ...rest.changes] };
}

/** Strips managedFields from a collected event to save memory until the list is complete. */
function slimEvent<O extends KubeObject>(event: WatchEvent<O>): WatchEvent<O> {
  return event.type === "BOOKMARK" ? event : { type: event.type, object: stripManagedFields(event.object) };
}

/** Returns the objects that exist after a sequence of events on an empty collection. */
function remaining<O extends KubeObject>(events: readonly WatchEvent<O>[]): readonly O[] {
  const objects = new Map<string, O>();
  for (const event of events) {
    if (event.type === "BOOKMARK") continue;
    const key = formatKey(objectKeyOf(event.object));
    if (event.type === "DELETED") objects.delete(key);
    else objects.set(key, event.object);
  }
  return [...objects.values()];
}

function informer<O extends KubeObject>(from: string, events: readonly WatchEvent<O>[]): Transition<O> {
  let resourceVersion = from;
  const changes: StoreChange<O>[] = [];
  for (const event of events) {
    if (event.type === "BOOKMARK") {
      ({ resourceVersion } = event);
      continue;
    }
    ({ resourceVersion } = event.object.metadata);
    changes.push({ kind: event.type === "DELETED" ? "remove" : "put", object: event.object });
  }
  return { state: { phase: "watching", resourceVersion }, changes };
}
