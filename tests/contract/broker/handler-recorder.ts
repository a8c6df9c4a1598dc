import type { CloudEvent, MessageHandler, Message } from "@levelset/fleet/server";

/** One run of a handler. */
export interface HandlerRun {
  readonly message: Message;
  readonly key: string | undefined;
  readonly number: number;
}

/**
 * Records the handler runs of a test over all consumers: each run, each end, and whether two of one key ran
 * concurrently; `until` waits for a state instead of a time.
 */
export class HandlerRecorder {
  readonly started: HandlerRun[] = [];
  readonly ended: HandlerRun[] = [];
  /** Keys with two concurrent messages. */
  readonly overlaps: string[] = [];
  readonly #running = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  peak = 0;
  #count = 0;

  /** Returns a handler that records the run and then does `work`. */
  handler(work: (run: HandlerRun, signal: AbortSignal) => Promise<void> = async () => {}): MessageHandler {
    return async (message, signal) => {
      const { key } = message;
      const run: HandlerRun = { message, key, number: numberOf(message.event) };
      this.#enter(run);
      try {
        await work(run, signal);
        this.ended.push(run);
      } finally {
        this.#leave(run);
      }
    };
  }

  /** Resolves once the condition holds; it is checked whenever a handler starts or ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  /** The message numbers of each key, in the order of the first successful handling. */
  get orders(): ReadonlyMap<string, readonly number[]> {
    const orders = new Map<string, number[]>();
    for (const { key = "", number } of this.ended) {
      const order = orders.get(key) ?? [];
      if (!order.includes(number)) order.push(number);
      orders.set(key, order);
    }
    return orders;
  }

  #enter(run: HandlerRun): void {
    const count = (this.#running.get(run.key ?? "") ?? 0) + 1;
    if (count > 1 && run.key !== undefined) this.overlaps.push(run.key);
    this.#running.set(run.key ?? "", count);
    this.peak = Math.max(this.peak, ++this.#count);
    this.started.push(run);
    this.#notify();
  }

  #leave(run: HandlerRun): void {
    this.#running.set(run.key ?? "", (this.#running.get(run.key ?? "") ?? 1) - 1);
    this.#count--;
    this.#notify();
  }

  #notify(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter();
  }
}

/** A gate that a test opens. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Returns a closed gate. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Returns an event with a number. */
export function numberedEvent(number: number): CloudEvent {
  return {
    specversion: "1.0",
    id: `event-${number}`,
    source: "tests/contract/broker",
    type: "test.numbered",
    datacontenttype: "application/json",
    data: { number },
  };
}

function numberOf({ data }: CloudEvent): number {
  const number: unknown = typeof data === "object" && data !== null && "number" in data ? data["number"] : undefined;
  return typeof number === "number" ? number : -1;
}
