import type { Clock, FieldError, Random } from "@levelset/core";
import { viewOf } from "../registry/index.ts";
import type { Registry, View } from "../registry/index.ts";
import type { StoreScope } from "../store/index.ts";
import { translate } from "./event.ts";
import type { ListScope } from "./list.ts";
import type { Presenter } from "./presenter.ts";
import { flag, refuse, selectionOf, whole } from "./query.ts";
import type { Matcher } from "./query.ts";
import { WatchStream } from "./watch-stream.ts";

/** What a watch needs from the server. */
export interface WatchContext {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly presenter: Presenter;
  readonly signal: AbortSignal;
}

const SHORTEST_DEFAULT_SECONDS = 1800;

/** Answers a watch request with a stream of events. Parameters are checked before it begins. */
export function watchAnswer(context: WatchContext, scope: ListScope, query: URLSearchParams): Response {
  const { registry, random } = context;
  const { matches } = selectionOf(query, scope.resource);
  refuse("ListOptions", optionErrors(query));
  const where: StoreScope = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const start = startOf(registry, scope, where, query, matches);
  const timeoutSeconds = whole(query, "timeoutSeconds") ?? Math.round(SHORTEST_DEFAULT_SECONDS * (1 + random.next()));
  const stream = new WatchStream({
    clock: context.clock,
    presenter: context.presenter,
    signal: context.signal,
    timeoutMs: timeoutSeconds * 1000,
    bookmarks: flag(query, "allowWatchBookmarks") === true,
    initial: start.initial,
    initialEnd: start.initialEnd && flag(query, "allowWatchBookmarks") === true,
    from: start.revision,
    revision: () => registry.store.revision,
    // A revision that is yet to come is one of another life of this server: its client must start over, too.
    open: (wake) =>
      start.revision > registry.store.revision
        ? { kind: "compacted", oldest: registry.store.revision }
        : registry.store.watch(where, start.revision, wake),
    translate: (event) => translate(registry.catalog.current(scope.resource), event, matches),
  });
  return new Response(stream.body, { headers: { "content-type": "application/json" } });
}

/** Where a watch begins: what is there already, if the client wants to see it, and the revision that it follows. */
interface Start {
  readonly initial: readonly View[];
  /** Whether a bookmark marks the end of `initial`. */
  readonly initialEnd: boolean;
  readonly revision: number;
}

function startOf(
  registry: Registry,
  scope: ListScope,
  where: StoreScope,
  query: URLSearchParams,
  matches: Matcher,
): Start {
  const sendInitialEvents = flag(query, "sendInitialEvents");
  const asked = whole(query, "resourceVersion") ?? 0;
  const wantsState = sendInitialEvents ?? asked === 0;
  if (!wantsState) {
    return { initial: [], initialEnd: false, revision: asked === 0 ? registry.store.revision : asked };
  }
  const listing = registry.store.list(where);
  const records = listing.kind === "listing" ? listing.records : [];
  const initial = records.map((record) => viewOf(scope.resource, record)).filter((view) => matches(view.object));
  return { initial, initialEnd: sendInitialEvents === true, revision: registry.store.revision };
}

function optionErrors(query: URLSearchParams): readonly FieldError[] {
  const match = query.get("resourceVersionMatch") ?? "";
  const sendInitialEvents = flag(query, "sendInitialEvents");
  const forbidden = (why: string): FieldError => ({
    reason: "FieldValueForbidden",
    field: "resourceVersionMatch",
    message: `Forbidden: ${why}`,
  });
  if (sendInitialEvents === undefined) {
    return match === ""
      ? []
      : [forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")];
  }
  if (match === "NotOlderThan") return [];
  return [forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")];
}
