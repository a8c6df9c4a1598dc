import type { ServerResponse } from "node:http";
import { BACKOFFS, isAbortError, LinkedAbortController, onAbort } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { formatPositions } from "../api/index.ts";
import type { StreamMessage } from "../api/index.ts";
import type { Topic } from "./topic.ts";

/** Delay that batches changes. */
const BATCH_MS = 40;
/** Interval of heartbeats. */
const HEARTBEAT_MS = 15_000;
/** Time after which a client that reads nothing is disconnected, because its data stays in memory. */
const STUCK_MS = 120_000;

/** A topic and its name in the request. */
export interface NamedTopic {
  readonly name: string;
  readonly topic: Topic;
}

/** Options of {@link sendEvents}. */
export interface StreamOptions {
  readonly topics: readonly NamedTopic[];
  readonly positions: readonly string[];
  readonly clock: Clock;
  /** Aborts when the browser disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Sends updates of topics to a browser until the signal aborts. Only current states are sent: a slow reader misses
 * intermediate states, so memory use is bounded.
 */
export async function sendEvents(response: ServerResponse, options: StreamOptions): Promise<void> {
  const { topics, clock, signal } = options;
  using stop = new LinkedAbortController([signal]);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(`retry: ${BACKOFFS.consoleStream.firstMs}\n\n`);
  const positions = [...options.positions];
  const send = async (index: number, message: StreamMessage, position: string): Promise<void> => {
    positions[index] = position;
    const hasCapacity = response.write(`id: ${formatPositions(positions)}\ndata: ${JSON.stringify(message)}\n\n`);
    if (!hasCapacity) await drained(response, clock, stop.signal);
  };
  const subscribers = topics.map(({ name, topic }, index) =>
    watch(topic, positions[index] ?? "", {
      clock,
      signal: stop.signal,
      notify: (message, position) => send(index, { topic: name, message }, position),
    }),
  );
  try {
    await Promise.all([...subscribers, sendHeartbeats(response, clock, stop.signal)]);
  } catch (error) {
    if (!stop.signal.aborted || !isAbortError(error)) throw error;
  } finally {
    stop.abort();
    await Promise.allSettled(subscribers);
    response.end();
  }
}

interface Subscriber {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly notify: (message: StreamMessage["message"], position: string) => Promise<void>;
}

async function watch(topic: Topic, start: string, { clock, signal, notify }: Subscriber): Promise<void> {
  let position = start;
  while (!signal.aborted) {
    // Subscribes before reading, so that no change in between is missed.
    const change = new NextChange(topic);
    try {
      const update = await topic.next(position, signal);
      if (update !== undefined) {
        position = update.position;
        await notify(update.message, position);
      }
      await change.within(topic.refreshMs, clock, signal);
    } finally {
      change.end();
    }
    await clock.sleep(BATCH_MS, signal);
  }
}

/** The next change notification of a topic. */
class NextChange {
  readonly #notified = Promise.withResolvers<void>();
  readonly #unsubscribe: () => void;

  constructor(topic: Topic) {
    this.#unsubscribe = topic.subscribe(() => this.#notified.resolve());
  }

  /** Waits for the notification, at most for `ms`. Rejects with an AbortError if the signal aborts. */
  async within(ms: number | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
    const closed = (): void => this.#notified.reject(new DOMException("the stream was closed", "AbortError"));
    const timer = ms === undefined ? undefined : clock.after(ms, () => this.#notified.resolve());
    using _ = onAbort(signal, closed);
    try {
      await this.#notified.promise;
    } finally {
      timer?.cancel();
    }
  }

  end(): void {
    this.#unsubscribe();
  }
}

async function sendHeartbeats(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(HEARTBEAT_MS, signal);
    if (!response.writableNeedDrain) response.write(": heartbeat\n\n");
  }
}

/** Resolves when the client has read all data or the signal aborts. */
async function drained(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stuck = clock.after(STUCK_MS, () => response.destroy());
  response.once("drain", resolve);
  using _ = onAbort(signal, resolve);
  if (!response.writableNeedDrain) resolve();
  try {
    await promise;
  } finally {
    stuck.cancel();
    response.off("drain", resolve);
  }
}
