import type { KubeObject } from "@levelset/core";
import { unreachable } from "@levelset/core";
import type { Page, WatchEvent } from "../client/index.ts";

/**
 * Following a collection, as a pure function: list it page by page, then watch from the list's revision, for ever. The informer
 * is a thin driver around `next`: it does what the state asks for and feeds back what came of it.
 */
export type WatchState<O extends KubeObject> =
  | { readonly phase: "listing"; readonly continueToken: string | undefined; readonly collected: readonly O[] }
  | { readonly phase: "watching"; readonly resourceVersion: string };

/** What happened. */
export type WatchInput<O extends KubeObject> =
  | { readonly kind: "page"; readonly page: Page<O> }
  | { readonly kind: "event"; readonly event: WatchEvent<O> }
  /** The revision or the continue token is no longer kept. */
  | { readonly kind: "expired" };

/** What the store must do about it. */
export type StoreChange<O extends KubeObject> =
  | { readonly kind: "none" }
  | { readonly kind: "replace"; readonly objects: readonly O[]; readonly resourceVersion: string }
  | { readonly kind: "put"; readonly object: O }
  | { readonly kind: "remove"; readonly object: O };

/** Where everything starts, and where it starts over. */
export const EMPTY: { readonly phase: "listing"; readonly continueToken: undefined; readonly collected: readonly [] } =
  {
    phase: "listing",
    continueToken: undefined,
    collected: [],
  };

const NONE = { kind: "none" } as const;

/** One transition. A relist reaches the store only when its last page is here, so readers never see half a list. */
export function next<O extends KubeObject>(
  state: WatchState<O>,
  input: WatchInput<O>,
): { readonly state: WatchState<O>; readonly change: StoreChange<O> } {
  switch (input.kind) {
    case "expired":
      return { state: EMPTY, change: NONE };
    case "page":
      return nextPage(state, input.page);
    case "event":
      return nextEvent(input.event);
    default:
      return unreachable(input);
  }
}

function nextPage<O extends KubeObject>(
  state: WatchState<O>,
  page: Page<O>,
): { readonly state: WatchState<O>; readonly change: StoreChange<O> } {
  const objects = state.phase === "listing" ? [...state.collected, ...page.items] : page.items;
  if (page.continue !== undefined) {
    return { state: { phase: "listing", continueToken: page.continue, collected: objects }, change: NONE };
  }
  const { resourceVersion } = page;
  return { state: { phase: "watching", resourceVersion }, change: { kind: "replace", objects, resourceVersion } };
}

function nextEvent<O extends KubeObject>(
  event: WatchEvent<O>,
): { readonly state: WatchState<O>; readonly change: StoreChange<O> } {
  if (event.type === "BOOKMARK") {
    return { state: { phase: "watching", resourceVersion: event.resourceVersion }, change: NONE };
  }
  const { object } = event;
  const change: StoreChange<O> = { kind: event.type === "DELETED" ? "remove" : "put", object };
  return { state: { phase: "watching", resourceVersion: object.metadata.resourceVersion }, change };
}
