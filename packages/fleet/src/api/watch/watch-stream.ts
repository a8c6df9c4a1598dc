import { abortable } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { formatEvent } from "@levelset/core/http";
import type { FeedChange, FeedPosition, FleetStore, ListCursor } from "../../store/index.ts";
import type { WatchQuery } from "../watcher.ts";
import type { ChangeHub } from "./change-hub.ts";
import { eventText, FeedEvent } from "./feed-event.ts";
import { ClientIds } from "./client-ids.ts";
import type { WatchSubscription } from "./watch-subscription.ts";
import { matchesScope, hasMutableFilter, matchesFilter } from "./watch-filter.ts";

/** The maximum number of resources per read and events per write. */
const PART_SIZE = 250;
/** A watcher gets a heartbeat after this time without an event. */
const HEARTBEAT_MS = 15_000;
/**
 * How long sent revisions are remembered after the feed caught up: the feed may lag behind lists during open
 * transactions.
 */
const REMEMBER_MS = 30_000;
/** The position of the client is no longer in the feed. */
const EXPIRED = formatEvent({ event: "expired", data: "{}" });

/** Options of {@link WatchStream}. */
export interface WatchStreamOptions {
  readonly request: WatchQuery;
  readonly store: Pick<FleetStore, "feed" | "list">;
  readonly hub: ChangeHub;
  readonly subscription: WatchSubscription;
  readonly clock: Clock;
  /** How long the watch stays open. */
  readonly lifetimeMs: number;
}

/**
 * The event stream of one watcher. It subscribes before it lists, so that no change is missed; changes that the list
 * already contained are skipped.
 */
export class WatchStream {
  readonly #options: WatchStreamOptions;
  readonly #held: ClientIds | undefined;
  /** The revision that was last sent of each resource; Infinity for removed ones. */
  readonly #sent = new Map<string, number>();
  #isRemembering = true;
  #lastId: FeedPosition | undefined;

  constructor(options: WatchStreamOptions) {
    const { request } = options;
    this.#options = options;
    this.#lastId = request.lastEventId;
    this.#held = hasMutableFilter(request)
      ? new ClientIds({ mayHoldAny: request.lastEventId !== undefined })
      : undefined;
  }

  /** Yields chunks until the subscription ends or the lifetime is over. */
  async *chunks(): AsyncGenerator<string, void, undefined> {
    const { request, hub, subscription, clock, lifetimeMs } = this.#options;
    const endTime = clock.monotonic() + lifetimeMs;
    // Flushes the headers, so that the client knows that it is connected.
    yield ": watching\n\n";
    await this.#untilAborted(hub.subscribe(subscription));
    const { lastEventId } = request;
    const isKnown = yield* lastEventId === undefined ? this.#list() : this.#missed(lastEventId);
    if (!isKnown) return;
    await this.#untilAborted(hub.waitCaughtUp());
    yield* this.#buffered();
    if (subscription.ended === undefined) yield this.#marker("synced");
    const forgetTime = clock.monotonic() + REMEMBER_MS;
    let reportedTime = clock.monotonic();
    while (subscription.ended === undefined && clock.monotonic() < endTime) {
      await subscription.wait(Math.max(0, reportedTime + HEARTBEAT_MS - clock.monotonic()));
      if (this.#isRemembering && clock.monotonic() >= forgetTime) this.#forget();
      const isReported = yield* this.#buffered();
      const isQuiet = !isReported && clock.monotonic() >= reportedTime + HEARTBEAT_MS;
      if (isQuiet && subscription.ended === undefined) yield this.#heartbeat();
      if (isReported || isQuiet) reportedTime = clock.monotonic();
    }
    if (subscription.ended === "expired") yield EXPIRED;
  }

  /**
   * Lists all resources. A client cannot resume within the list, so these events have no ID. Returns whether to
   * continue.
   */
  async *#list(): AsyncGenerator<string, boolean, undefined> {
    const { request, store, subscription } = this.#options;
    const { kind, ownerId, search, reference, selection } = request;
    const query = {
      scope: request.caller.scope,
      ...(kind === undefined ? {} : { kind }),
      ...(ownerId === undefined ? {} : { ownerId }),
      ...(search === undefined ? {} : { search }),
      ...(reference === undefined ? {} : { reference }),
      order: [{ column: "id", direction: "asc" }],
    } as const;
    let position: ListCursor | undefined;
    do {
      const { items, next } = await store.list({ ...query, page: { kind: "after", position, size: PART_SIZE } });
      for (const { resource, revision } of items) {
        this.#sent.set(resource.id, revision);
        this.#held?.set(resource.id, true);
      }
      const text = items.map(({ resource }) => eventText("present", resource, selection)).join("");
      if (text !== "") yield text;
      position = next;
    } while (position !== undefined && subscription.ended === undefined);
    return subscription.ended === undefined;
  }

  /** Sends the changes since the client's last position. Returns whether to continue. */
  async *#missed(lastEventId: FeedPosition): AsyncGenerator<string, boolean, undefined> {
    const { request, store, subscription } = this.#options;
    const { kind } = request;
    const query = { scope: request.caller.scope, limit: PART_SIZE, ...(kind === undefined ? {} : { kind }) };
    let after = lastEventId;
    for (;;) {
      const part = await store.feed({ ...query, after });
      if (subscription.ended !== undefined) return false;
      if (part.kind === "expired") {
        yield EXPIRED;
        return false;
      }
      const text = part.changes.map((change) => this.#eventTextFor(new FeedEvent(change))).join("");
      if (text !== "") yield text;
      if (part.changes.length < PART_SIZE) return true;
      after = part.position;
    }
  }

  /** Sends all buffered changes of the subscription. Returns whether there were any. */
  async *#buffered(): AsyncGenerator<string, boolean, undefined> {
    const { subscription } = this.#options;
    let isReported = false;
    for (;;) {
      const events = subscription.take(PART_SIZE);
      if (events.length === 0) return isReported;
      const text = events.map((event) => this.#eventTextFor(event)).join("");
      if (text === "") continue;
      isReported = true;
      yield text;
    }
  }

  /** Returns the event text of a change for this watcher; empty if it is irrelevant. */
  #eventTextFor(event: FeedEvent): string {
    const { request } = this.#options;
    const { change } = event;
    const { resource } = change;
    if (!matchesScope(request, resource) || !this.#isNew(change)) return "";
    const isPresent = change.kind === "present" && matchesFilter(request, resource);
    if (!isPresent && this.#held?.has(resource.id) === false) return "";
    this.#held?.set(resource.id, isPresent);
    this.#lastId = change.position;
    return event.text(isPresent ? "present" : "gone", request.selection);
  }

  #isNew(change: FeedChange): boolean {
    if (!this.#isRemembering) return true;
    const revision = change.kind === "present" ? change.revision : Infinity;
    if (revision <= (this.#sent.get(change.resource.id) ?? 0)) return false;
    this.#sent.set(change.resource.id, revision);
    return true;
  }

  #forget(): void {
    this.#isRemembering = false;
    this.#sent.clear();
  }

  /** Returns a heartbeat: a comment, or a bookmark if irrelevant changes advanced the position. */
  #heartbeat(): string {
    return this.#options.subscription.position === this.#lastId ? ":\n\n" : this.#marker("bookmark");
  }

  /** Returns an event that marks the current position. */
  #marker(name: "synced" | "bookmark"): string {
    this.#lastId = this.#options.subscription.position;
    return formatEvent({ event: name, id: this.#lastId, data: "{}" });
  }

  /** Waits for the hub, which may wait for the database, until the watch is aborted. */
  async #untilAborted(work: Promise<void>): Promise<void> {
    const { signal } = this.#options.request;
    await abortable(work, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
