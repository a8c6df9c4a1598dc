import { BrokerUnavailable } from "./errors.ts";
import type { Subscription } from "./broker.ts";

/** The open subscriptions of a broker, and whether the broker itself is still open. */
export class Subscriptions {
  readonly #open = new Set<Subscription>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Throws when the broker is closed. */
  check(): void {
    if (this.#isClosed) throw new BrokerUnavailable("the broker is closed");
  }

  /** Keeps a subscription until it is closed. Closing it twice is closing it once. */
  add(close: () => Promise<void>): Subscription {
    let closed: Promise<void> | undefined;
    const end = (): Promise<void> => {
      closed ??= close().finally(() => this.#open.delete(subscription));
      return closed;
    };
    const subscription: Subscription = { close: end, [Symbol.asyncDispose]: end };
    this.#open.add(subscription);
    return subscription;
  }

  /** Keeps a subscription from the moment at which it begins; if it cannot begin, it is closed and the reason thrown. */
  async begin(close: () => Promise<void>, start: () => Promise<void>): Promise<Subscription> {
    const subscription = this.add(close);
    try {
      await start();
    } catch (error) {
      await subscription.close();
      throw error;
    }
    return subscription;
  }

  /** Closes all, for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((subscription) => subscription.close()));
  }
}
