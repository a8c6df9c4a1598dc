import type { CloudEvent, Handler, Message } from "@levelset/fleet";

/** One run of a handler. */
export interface Run {
  readonly message: Message;
  readonly key: string | undefined;
  readonly number: number;
}

/**
 * What handlers of a test received, over all consumers. It notes each run, each end, and whether two of one key ever ran at the same
 * time; `until` waits for a state instead of for a time.
 */
export class Inbox {
  readonly started: Run[] = [];
  readonly ended: Run[] = [];
  /** Keys of which two messages ran at the same time. */
  readonly overlaps: string[] = [];
  readonly #running = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  peak = 0;
  #count = 0;

  /** A handler that notes and then does `work`. */
  handler(work: (run: Run, signal: AbortSignal) => Promise<void> = async () => {}): Handler {
    return async (message, signal) => {
      const { key } = message;
      const run: Run = { message, key, number: numberOf(message.event) };
      this.#enter(run);
      try {
        await work(run, signal);
        this.ended.push(run);
      } finally {
        this.#leave(run);
      }
    };
  }

  /** Resolves once the condition holds; it is looked at whenever a handler starts or ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  /** The numbers of the messages of each key in the order in which they were handled well for the first time. */
  get orders(): ReadonlyMap<string, readonly number[]> {
    const orders = new Map<string, number[]>();
    for (const { key = "", number } of this.ended) {
      const order = orders.get(key) ?? [];
      if (!order.includes(number)) order.push(number);
      orders.set(key, order);
    }
    return orders;
  }

  #enter(run: Run): void {
    const count = (this.#running.get(run.key ?? "") ?? 0) + 1;
    if (count > 1 && run.key !== undefined) this.overlaps.push(run.key);
    this.#running.set(run.key ?? "", count);
    this.peak = Math.max(this.peak, ++this.#count);
    this.started.push(run);
    this.#wake();
  }

  #leave(run: Run): void {
    this.#running.set(run.key ?? "", (this.#running.get(run.key ?? "") ?? 1) - 1);
    this.#count--;
    this.#wake();
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter();
  }
}

/** Something that happens when a test says so. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** A closed gate. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** An event with a number. */
export function numbered(number: number): CloudEvent {
  return {
    specversion: "1.0",
    id: `event-${number}`,
    source: "tests/broker",
    type: "test.numbered",
    datacontenttype: "application/json",
    data: { number },
  };
}

function numberOf({ data }: CloudEvent): number {
  const number: unknown = typeof data === "object" && data !== null && "number" in data ? data["number"] : undefined;
  return typeof number === "number" ? number : -1;
}
