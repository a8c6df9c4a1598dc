import type { Broker } from "@levelset/fleet";

type Publish = Parameters<Broker["publish"]>;

/** A broker that loses pulses, delivers them twice, and delivers the latest one again. */
export class PulseGate {
  #lost = 0;
  #repeated = 0;
  #latest: Publish | undefined;
  #broker: Broker | undefined;
  readonly #sent = new Map<string, number>();

  /** The number of pulses that the Sentinel has sent about a resource, lost ones included. */
  sentTo(id: string): number {
    return this.#sent.get(id) ?? 0;
  }

  lose(count: number): void {
    this.#lost = count;
  }

  repeat(count: number): void {
    this.#repeated = count;
  }

  heal(): void {
    this.#lost = 0;
    this.#repeated = 0;
  }

  /** Publishes the latest pulse again. */
  async repeatLatest(): Promise<void> {
    if (this.#latest !== undefined) await this.#broker?.publish(...this.#latest);
  }

  /** Returns the broker with these faults. */
  readonly through = (broker: Broker): Broker => {
    this.#broker = broker;
    return {
      kind: broker.kind,
      publish: (...args) => this.#publish(broker, args),
      subscribe: (...args) => broker.subscribe(...args),
      deadLetters: (...args) => broker.deadLetters(...args),
      health: () => broker.health(),
      close: () => broker.close(),
      [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
    };
  };

  async #publish(broker: Broker, args: Publish): Promise<void> {
    this.#latest = args;
    const [, event, options] = args;
    const id = options?.key ?? event.partitionkey ?? "";
    this.#sent.set(id, this.sentTo(id) + 1);
    if (this.#lost > 0) {
      this.#lost -= 1;
      return;
    }
    await broker.publish(...args);
    if (this.#repeated === 0) return;
    this.#repeated -= 1;
    await broker.publish(...args);
  }
}
