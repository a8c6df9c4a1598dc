import type { Clock } from "@levelset/core";
import type { FeedChange, FeedPosition, FleetStore, ListPosition } from "../../store/index.ts";
import type { WatchRequest } from "../watcher.ts";
import type { ChangeHub } from "./change-hub.ts";
import { eventText, FeedEvent } from "./feed-event.ts";
import { HeldIds } from "./held-ids.ts";
import type { Subscription } from "./subscription.ts";
import { concerns, isNarrowed, isWanted } from "./watch-filter.ts";

/** How many resources are read, or events written, at once. */
const PART_SIZE = 250;
/** After how long without an event a watcher gets a sign of life. */
const HEARTBEAT_MS = 15_000;
/** How long revisions that were sent are remembered after the feed has caught up: it may lag behind lists while others commit. */
const REMEMBER_MS = 30_000;

/** What a stream needs. */
export interface WatchStreamOptions {
  readonly request: WatchRequest;
  readonly store: Pick<FleetStore, "feed" | "list">;
  readonly hub: ChangeHub;
  readonly subscription: Subscription;
  readonly clock: Clock;
  /** How long it lasts. */
  readonly lastsMs: number;
}

/**
 * What one watcher is told. It subscribes first and reads then, so that nothing falls between; what it has read already is skipped when the
 * subscription tells it again.
 */
export class WatchStream {
  readonly #options: WatchStreamOptions;
  readonly #held: HeldIds | undefined;
  /** The revision in which a resource was sent last. A removed one is beyond all revisions. */
  readonly #sent = new Map<string, number>();
  #isRemembering = true;
  #lastId: FeedPosition | undefined;

  constructor(options: WatchStreamOptions) {
    const { request } = options;
    this.#options = options;
    this.#lastId = request.lastEventId;
    this.#held = isNarrowed(request) ? new HeldIds({ mayHoldAny: request.lastEventId !== undefined }) : undefined;
  }

  /** Ends when the subscription does, or its time is over. */
  async *chunks(): AsyncGenerator<string, void, undefined> {
    const { request, hub, subscription, clock, lastsMs } = this.#options;
    const endTime = clock.monotonic() + lastsMs;
    // Lets the headers go, so that the watcher knows that it is connected.
    yield ": watching\n\n";
    await this.#orAborted(hub.subscribe(subscription));
    const { lastEventId } = request;
    const isKnown = yield* lastEventId === undefined ? this.#list() : this.#missed(lastEventId);
    if (!isKnown) return;
    await this.#orAborted(hub.caughtUp());
    yield* this.#taken();
    if (subscription.ended === undefined) yield this.#sign("synced");
    const forgetTime = clock.monotonic() + REMEMBER_MS;
    let toldTime = clock.monotonic();
    while (subscription.ended === undefined && clock.monotonic() < endTime) {
      await subscription.wait(clock, Math.max(0, toldTime + HEARTBEAT_MS - clock.monotonic()));
      if (this.#isRemembering && clock.monotonic() >= forgetTime) this.#forget();
      const isTold = yield* this.#taken();
      const isQuiet = !isTold && clock.monotonic() >= toldTime + HEARTBEAT_MS;
      if (isQuiet && subscription.ended === undefined) yield this.#heartbeat();
      if (isTold || isQuiet) toldTime = clock.monotonic();
    }
    if (subscription.ended === "expired") yield "event: expired\ndata: {}\n\n";
  }

  /** Everything that there is. Nobody can resume in the midst of it, so these events have no id. Whether to go on. */
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
    let position: ListPosition | undefined;
    do {
      const { items, next } = await store.list({ ...query, part: { kind: "after", position, size: PART_SIZE } });
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

  /** What happened since a watcher was here before. Whether to go on. */
  async *#missed(lastEventId: FeedPosition): AsyncGenerator<string, boolean, undefined> {
    const { request, store, subscription } = this.#options;
    const { kind } = request;
    const query = { scope: request.caller.scope, limit: PART_SIZE, ...(kind === undefined ? {} : { kind }) };
    let after = lastEventId;
    for (;;) {
      const part = await store.feed({ ...query, after });
      if (subscription.ended !== undefined) return false;
      if (part.kind === "expired") {
        yield "event: expired\ndata: {}\n\n";
        return false;
      }
      const text = part.changes.map((change) => this.#told(new FeedEvent(change))).join("");
      if (text !== "") yield text;
      if (part.changes.length < PART_SIZE) return true;
      after = part.position;
    }
  }

  /** All that the subscription has. Whether there was anything to tell. */
  async *#taken(): AsyncGenerator<string, boolean, undefined> {
    const { subscription } = this.#options;
    let isTold = false;
    for (;;) {
      const events = subscription.take(PART_SIZE);
      if (events.length === 0) return isTold;
      const text = events.map((event) => this.#told(event)).join("");
      if (text === "") continue;
      isTold = true;
      yield text;
    }
  }

  /** What a change is to this watcher; empty if it is nothing. */
  #told(event: FeedEvent): string {
    const { request } = this.#options;
    const { change } = event;
    const { resource } = change;
    if (!concerns(request, resource) || !this.#isNews(change)) return "";
    const isPresent = change.kind === "present" && isWanted(request, resource);
    if (!isPresent && this.#held?.has(resource.id) === false) return "";
    this.#held?.set(resource.id, isPresent);
    this.#lastId = change.position;
    return event.text(isPresent ? "present" : "gone", request.selection);
  }

  #isNews(change: FeedChange): boolean {
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

  /** A sign of life; and a place to resume from, if others have changed meanwhile. */
  #heartbeat(): string {
    return this.#options.subscription.position === this.#lastId ? ":\n\n" : this.#sign("bookmark");
  }

  /** That the watcher knows everything up to here. */
  #sign(name: "synced" | "bookmark"): string {
    this.#lastId = this.#options.subscription.position;
    return `event: ${name}\nid: ${this.#lastId}\ndata: {}\n\n`;
  }

  /** Waits for the hub, which may wait for the database, no longer than the watcher waits for us. */
  async #orAborted(work: Promise<void>): Promise<void> {
    const { signal } = this.#options.request;
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (!signal.aborted) await Promise.race([work, promise]);
  }
}
