import { formatKey, keyOf, unreachable } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { Page, WatchEvent } from "./list-watch.ts";
import { flatten } from "./batches.ts";
import type { Batches } from "./batches.ts";
import { slim } from "./slim.ts";

/**
 * Following a collection, as a pure function: get all of it, page by page or as the beginning of a watch, then follow the watch for
 * ever. The reflector is a thin driver around `next`: it does what the state asks for and feeds back the result.
 */
export type WatchState<O extends KubeObject> =
  /** Nothing is known yet, or no longer. */
  | { readonly phase: "empty" }
  | { readonly phase: "listing"; readonly continueToken: string; readonly collected: Batches<O> }
  /** A watch is sending what is there already. */
  | { readonly phase: "streaming"; readonly collected: Batches<WatchEvent<O>> }
  | { readonly phase: "watching"; readonly resourceVersion: string };

/** What happened. */
export type WatchInput<O extends KubeObject> =
  | { readonly kind: "page"; readonly page: Page<O> }
  | { readonly kind: "events"; readonly events: readonly WatchEvent<O>[] }
  /** The connection ended, by the server, by us or by the network. */
  | { readonly kind: "cut" }
  /** The revision or the continue token is no longer kept. */
  | { readonly kind: "expired" };

/** What the store must do about it, in this order. */
export type StoreChange<O extends KubeObject> =
  | { readonly kind: "replace"; readonly objects: readonly O[]; readonly resourceVersion: string }
  | { readonly kind: "put"; readonly object: O }
  | { readonly kind: "remove"; readonly object: O };

/** A transition. */
export interface Transition<O extends KubeObject> {
  readonly state: WatchState<O>;
  readonly changes: readonly StoreChange<O>[];
}

/** Where everything starts, and where it starts over. */
export const EMPTY: { readonly phase: "empty" } = { phase: "empty" };

/** One transition. A whole collection reaches the store at once, so readers never see half of it. */
export function next<O extends KubeObject>(state: WatchState<O>, input: WatchInput<O>): Transition<O> {
  switch (input.kind) {
    case "expired":
      return { state: EMPTY, changes: [] };
    case "cut":
      // A watch goes on where it was; the rest of a stream is of no use without its end.
      return { state: state.phase === "streaming" ? EMPTY : state, changes: [] };
    case "page":
      return nextPage(state, input.page);
    case "events":
      return state.phase === "watching"
        ? following(state.resourceVersion, input.events)
        : streaming(state.phase === "streaming" ? state.collected : undefined, input.events);
    default:
      return unreachable(input);
  }
}

function nextPage<O extends KubeObject>(state: WatchState<O>, page: Page<O>): Transition<O> {
  const before = state.phase === "listing" ? state.collected : undefined;
  const collected = { before, latest: page.items.map(slim) };
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
  const rest = following<O>(resourceVersion, events.slice(end + 1));
  return { state: rest.state, changes: [{ kind: "replace", objects, resourceVersion }, ...rest.changes] };
}

/** What is collected may be much, and lies there until all of it is here. */
function slimEvent<O extends KubeObject>(event: WatchEvent<O>): WatchEvent<O> {
  return event.type === "BOOKMARK" ? event : { type: event.type, object: slim(event.object) };
}

/** What is there after a sequence of events that began with nothing. */
function remaining<O extends KubeObject>(events: readonly WatchEvent<O>[]): readonly O[] {
  const objects = new Map<string, O>();
  for (const event of events) {
    if (event.type === "BOOKMARK") continue;
    const key = formatKey(keyOf(event.object));
    if (event.type === "DELETED") objects.delete(key);
    else objects.set(key, event.object);
  }
  return [...objects.values()];
}

function following<O extends KubeObject>(from: string, events: readonly WatchEvent<O>[]): Transition<O> {
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
