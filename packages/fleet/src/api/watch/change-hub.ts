import { BACKOFFS, Signal, toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { EVERY_TENANT } from "../../store/index.ts";
import type { FeedPosition, FleetStore } from "../../store/index.ts";
import { FeedEvent } from "./feed-event.ts";
import type { WatchSubscription } from "./watch-subscription.ts";

/** The maximum number of changes per read. */
const PART_SIZE = 500;
/** The minimum delay between reads, so that changes are batched. */
const GATHER_MS = 10;
/** How often the feed is polled without a notification: notifications can be lost. */
const POLL_MS = 5_000;
/** The same after a notification without changes: the feed may hold back a commit until an older transaction ends. */
const HINTED_POLL_MS = 500;

/** Options of {@link ChangeHub}. */
export interface ChangeHubOptions {
  readonly store: Pick<FleetStore, "feed" | "feedEnd" | "onCommit">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads the store's feed once for all watchers of the process, while there are any, and passes every change to each. It
 * reads the changes of all tenants: subscribers must filter what the caller may see.
 */
export class ChangeHub {
  readonly #options: ChangeHubOptions;
  readonly #subscriptions = new Set<WatchSubscription>();
  #reading: FeedReader | undefined;

  constructor(options: ChangeHubOptions) {
    this.#options = options;
  }

  /** The number of watchers. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Passes on every change that is committed after the promise resolves, and possibly some earlier ones. */
  async subscribe(subscription: WatchSubscription): Promise<void> {
    this.#subscriptions.add(subscription);
    this.#reading ??= new FeedReader(this.#options, this.#subscriptions);
    await this.#reading.caughtUp();
  }

  unsubscribe(subscription: WatchSubscription): void {
    subscription.end("closed");
    this.#subscriptions.delete(subscription);
    if (this.#subscriptions.size > 0) return;
    this.#reading?.stop();
    this.#reading = undefined;
  }

  /** Resolves when all changes in the feed at the time of the call have been passed on. */
  async waitCaughtUp(): Promise<void> {
    await this.#reading?.caughtUp();
  }
}

/** One reader of the feed, from its end at the start. */
class FeedReader {
  readonly #options: ChangeHubOptions;
  readonly #subscriptions: ReadonlySet<WatchSubscription>;
  readonly #stopping = new AbortController();
  readonly #hints: Signal;
  #position: FeedPosition | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: ChangeHubOptions, subscriptions: ReadonlySet<WatchSubscription>) {
    this.#options = options;
    this.#subscriptions = subscriptions;
    this.#hints = new Signal(options.clock);
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
  }

  caughtUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    this.#hints.notify();
    return promise;
  }

  /** Runs until stopped. Errors are retried; watchers receive no events in the meantime. */
  async #run(): Promise<void> {
    const { store, logger } = this.#options;
    const unhook = store.onCommit(() => this.#hints.notify());
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        logger.warn("change feed not read", { err: toError(error).message });
        await this.#pause(BACKOFFS.changeFeed.firstMs);
      }
    }
    unhook();
  }

  async #read(): Promise<void> {
    this.#position ??= await this.#options.store.feedEnd();
    const wasHinted = this.#hints.take();
    const waiters = this.#waiters;
    this.#waiters = [];
    const count = await this.#readPart(this.#position).catch((error: unknown) => {
      this.#waiters.push(...waiters);
      throw error;
    });
    if (count === PART_SIZE) {
      this.#waiters.push(...waiters);
      return;
    }
    for (const resolve of waiters) resolve();
    await this.#pause(GATHER_MS);
    const isHinted = await this.#hints.wait(wasHinted && count === 0 ? HINTED_POLL_MS : POLL_MS, this.#stopping.signal);
    if (isHinted) this.#hints.notify(); // for the next read
  }

  /** Returns the number of changes. */
  async #readPart(after: FeedPosition): Promise<number> {
    const part = await this.#options.store.feed({ scope: EVERY_TENANT, after, limit: PART_SIZE });
    // Later subscribers belong to another reader.
    if (this.#stopping.signal.aborted) return 0;
    if (part.kind === "expired") {
      this.#position = undefined;
      for (const subscription of this.#subscriptions) subscription.end("expired");
      return 0;
    }
    const events = part.changes.map((change) => new FeedEvent(change));
    for (const subscription of this.#subscriptions) subscription.push(events, part.position);
    this.#position = part.position;
    return events.length;
  }

  /** Sleeps until the delay or the stop signal. */
  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#stopping.signal).catch(() => undefined);
  }
}
