import type { Clock, Random } from "@levelset/core";
import { viewOf } from "../registry/index.ts";
import type { Registry, View } from "../registry/index.ts";
import type { StoreScope } from "../store/index.ts";
import { streamAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { translate } from "./event.ts";
import { EventLines } from "./event-lines.ts";
import { listOptionsOf } from "./list-options.ts";
import type { ListOptions } from "./list-options.ts";
import type { ListScope } from "./list.ts";
import type { Presenter } from "./presenter.ts";
import { revisionOf, selectionOf } from "./query.ts";
import type { Matcher } from "./query.ts";
import { WatchStream } from "./watch-stream.ts";

/** What a watch needs from the server. */
export interface WatchContext {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly presenter: Presenter;
  readonly signal: AbortSignal;
  /** Counts the watch; the function it returns is called once when the watch has ended. */
  readonly opened: () => () => void;
}

const SHORTEST_DEFAULT_SECONDS = 1800;

/** Answers a watch request with a stream of events. Parameters are checked before it begins. */
export function watchAnswer(context: WatchContext, scope: ListScope, query: URLSearchParams): Answer {
  const { registry, random } = context;
  const options = listOptionsOf(query, true);
  const { matches } = selectionOf(query, scope.resource);
  const where: StoreScope = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const asked = { revision: revisionOf(query) ?? 0, sendInitialEvents: options.sendInitialEvents };
  const start = startOf(registry, scope, where, asked, matches);
  const timeoutSeconds = options.timeoutSeconds || Math.round(SHORTEST_DEFAULT_SECONDS * (1 + random.next()));
  const stream = new WatchStream({
    clock: context.clock,
    presenter: context.presenter,
    lines: linesOf(registry),
    signal: context.signal,
    opened: context.opened,
    timeoutMs: Math.max(timeoutSeconds, 0) * 1000,
    bookmarks: options.allowWatchBookmarks,
    initial: start.initial,
    initialEnd: start.initialEnd && options.allowWatchBookmarks,
    from: start.revision,
    revision: () => registry.store.revision,
    // A revision that is yet to come is one of another life of this server: its client must start over, too.
    open: (wake) =>
      start.revision > registry.store.revision
        ? { kind: "compacted", oldest: registry.store.revision }
        : registry.store.watch(where, start.revision, wake),
    translate: (event) => translate(registry.catalog.current(scope.resource), event, matches),
  });
  return streamAnswer(stream.body);
}

const lines = new WeakMap<Registry, EventLines>();

/** The lines that all watches of a server share. */
function linesOf(registry: Registry): EventLines {
  const found = lines.get(registry) ?? new EventLines();
  lines.set(registry, found);
  return found;
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
  asked: Pick<ListOptions, "sendInitialEvents"> & { readonly revision: number },
  matches: Matcher,
): Start {
  const { sendInitialEvents, revision } = asked;
  const wantsState = sendInitialEvents ?? revision === 0;
  if (!wantsState) {
    return { initial: [], initialEnd: false, revision: revision === 0 ? registry.store.revision : revision };
  }
  const listing = registry.store.list(where);
  const records = listing.kind === "listing" ? listing.records : [];
  const initial = records.map((record) => viewOf(scope.resource, record)).filter((view) => matches(view));
  return { initial, initialEnd: sendInitialEvents === true, revision: registry.store.revision };
}
