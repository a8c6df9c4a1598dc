import { toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { EVERY_TENANT } from "../../store/index.ts";
import type { FeedPosition, FleetStore } from "../../store/index.ts";
import { FeedEvent } from "./feed-event.ts";
import type { Subscription } from "./subscription.ts";

/** How many changes are read at once. */
const PART_SIZE = 500;
/** How long the feed is left alone after it was read, so that changes that come together are read together. */
const GATHER_MS = 10;
/** How long to wait before the feed is read without being told to: hints may get lost. */
const POLL_MS = 5_000;
/** The same after a hint that nothing came of: what was committed may wait in the feed for another transaction to end. */
const HINTED_POLL_MS = 500;
/** How long to wait after the store failed. */
const RETRY_MS = 1_000;

/** What the hub needs. */
export interface ChangeHubOptions {
  readonly store: Pick<FleetStore, "feed" | "feedEnd" | "onCommit">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads the feed of the store once for all watchers of the process, while there are any, and hands every change to each of them. It reads the
 * changes of all tenants: who subscribes must pass on only what its caller may see.
 */
export class ChangeHub {
  readonly #options: ChangeHubOptions;
  readonly #subscriptions = new Set<Subscription>();
  #reading: Reading | undefined;

  constructor(options: ChangeHubOptions) {
    this.#options = options;
  }

  /** How many watch. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Hands over every change that is committed after it resolves, and perhaps some from before. */
  async subscribe(subscription: Subscription): Promise<void> {
    this.#subscriptions.add(subscription);
    this.#reading ??= new Reading(this.#options, this.#subscriptions);
    await this.#reading.caughtUp();
  }

  unsubscribe(subscription: Subscription): void {
    subscription.end("closed");
    this.#subscriptions.delete(subscription);
    if (this.#subscriptions.size > 0) return;
    this.#reading?.stop();
    this.#reading = undefined;
  }

  /** Resolves when everything that the feed had at the call has been handed over. */
  async caughtUp(): Promise<void> {
    await this.#reading?.caughtUp();
  }
}

/** One run through the feed, from where it ended at the start. */
class Reading {
  readonly #options: ChangeHubOptions;
  readonly #subscriptions: ReadonlySet<Subscription>;
  readonly #stopping = new AbortController();
  #position: FeedPosition | undefined;
  #asked: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #isHinted = false;

  constructor(options: ChangeHubOptions, subscriptions: ReadonlySet<Subscription>) {
    this.#options = options;
    this.#subscriptions = subscriptions;
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
    this.#hint();
  }

  caughtUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.push(resolve);
    this.#hint();
    return promise;
  }

  #hint(): void {
    this.#isHinted = true;
    this.#wake?.();
  }

  /** Ends only when stopped: what fails is tried again, and watchers hear nothing meanwhile. */
  async #run(): Promise<void> {
    const { store, logger } = this.#options;
    const unhook = store.onCommit(() => this.#hint());
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        logger.warn("the feed of changes cannot be read", { error: toError(error).message });
        await this.#pause(RETRY_MS);
      }
    }
    unhook();
  }

  async #read(): Promise<void> {
    this.#position ??= await this.#options.store.feedEnd();
    const wasHinted = this.#isHinted;
    this.#isHinted = false;
    const asked = this.#asked;
    this.#asked = [];
    const count = await this.#readPart(this.#position).catch((error: unknown) => {
      this.#asked.push(...asked);
      throw error;
    });
    if (count === PART_SIZE) {
      this.#asked.push(...asked);
      return;
    }
    for (const answer of asked) answer();
    await this.#pause(GATHER_MS);
    await this.#hinted(wasHinted && count === 0 ? HINTED_POLL_MS : POLL_MS);
  }

  /** How many changes there were. */
  async #readPart(after: FeedPosition): Promise<number> {
    const part = await this.#options.store.feed({ scope: EVERY_TENANT, after, limit: PART_SIZE });
    // Whoever subscribed since then is another reading's.
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

  async #hinted(ms: number): Promise<void> {
    if (this.#isHinted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(ms, resolve);
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    timer.cancel();
  }

  /** Like a sleep that stopping ends early. */
  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#stopping.signal).catch(() => undefined);
  }
}
