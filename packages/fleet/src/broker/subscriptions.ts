import { BrokerUnavailableError } from "./broker-errors.ts";
import type { Subscription } from "./broker.ts";

/** The open subscriptions of a broker, and whether the broker is open. */
export class Subscriptions {
  readonly #open = new Set<Subscription>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Throws `BrokerUnavailableError` if the broker is closed. */
  check(): void {
    if (this.#isClosed) throw new BrokerUnavailableError("the broker is closed");
  }

  /** Registers a subscription until it is closed. Closing is idempotent. */
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

  /** Registers a subscription before it starts; if starting fails, closes it and rethrows the error. */
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

  /** Closes all subscriptions and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((subscription) => subscription.close()));
  }
}
