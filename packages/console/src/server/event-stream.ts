import { BACKOFFS, LinkedAbortController, Signal, toError } from "@levelset/core/internal";
import { isAbortError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { EventStream, formatEvent } from "@levelset/core/http";
import { formatPositions } from "../api/index.ts";
import type { StreamMessage } from "../api/index.ts";
import type { Topic } from "./topic/topic.ts";

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

/** Options of {@link openEventStream}. */
export interface StreamOptions {
  readonly topics: readonly NamedTopic[];
  readonly positions: readonly string[];
  readonly clock: Clock;
  /** Aborts when the browser disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Called when the stream has ended. */
  readonly onEnd: () => void;
}

/**
 * Returns a body with updates of topics, until the signal aborts. Only current states are sent: a slow reader misses
 * intermediate states, so memory use is bounded.
 */
export function openEventStream(options: StreamOptions): EventStream {
  const { clock, signal, onEnd } = options;
  const stream = new EventStream({ clock, signal, heartbeatMs: HEARTBEAT_MS, stallMs: STUCK_MS });
  void writeEvents(stream, options)
    .catch((error: unknown) => stream.end(toError(error)))
    .finally(onEnd);
  return stream;
}

async function writeEvents(stream: EventStream, { topics, clock, signal, ...options }: StreamOptions): Promise<void> {
  using stop = new LinkedAbortController([signal]);
  const positions = [...options.positions];
  const send = (index: number, message: StreamMessage, position: string): Promise<void> => {
    positions[index] = position;
    return stream.send(formatEvent({ id: formatPositions(positions), data: JSON.stringify(message) }));
  };
  const subscribers = topics.map(({ name, topic }, index) =>
    watch(topic, positions[index] ?? "", {
      clock,
      signal: stop.signal,
      notify: (message, position) => send(index, { topic: name, message }, position),
    }),
  );
  try {
    await Promise.all([stream.send(`retry: ${BACKOFFS.consoleStream.firstMs}\n\n`), ...subscribers, stream.ended]);
  } catch (error) {
    if (!stop.signal.aborted || !isAbortError(error)) throw error;
  } finally {
    stop.abort();
    await Promise.allSettled(subscribers);
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
    const change = new Signal(clock);
    const unsubscribe = topic.subscribe(() => change.notify());
    try {
      const update = await topic.next(position, signal);
      if (update !== undefined) {
        position = update.position;
        await notify(update.message, position);
      }
      await change.wait(topic.refreshMs ?? Infinity, signal);
    } finally {
      unsubscribe();
    }
    await clock.sleep(BATCH_MS, signal);
  }
}
