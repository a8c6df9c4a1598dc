import type { ServerResponse } from "node:http";
import { isAbort } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { formatPositions } from "../api/index.ts";
import type { StreamMessage } from "../api/index.ts";
import type { Topic } from "./topic.ts";

/** For how long changes are gathered: many come together, and a person sees no difference. */
const GATHER_MS = 40;
/** How often a sign of life is sent. */
const SIGN_MS = 15_000;
/** After how long a reader that takes nothing is given up: what it was sent is kept for it. */
const STUCK_MS = 120_000;
/** After how long a browser that lost the connection comes back. */
const RETRY_MS = 1_000;

/** A topic by the name that it was asked for. */
export interface NamedTopic {
  readonly name: string;
  readonly topic: Topic;
}

/** What a stream is sent with. */
export interface StreamOptions {
  readonly topics: readonly NamedTopic[];
  readonly positions: readonly string[];
  readonly clock: Clock;
  /** Aborts when the browser is gone, or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Tells a browser of topics, until it or the server goes. Topics are told as they are, not as they became: whoever reads slowly
 * misses states in between, and nothing piles up here.
 */
export async function sendEvents(response: ServerResponse, options: StreamOptions): Promise<void> {
  const { topics, clock, signal } = options;
  const stop = new AbortController();
  const onEnd = (): void => stop.abort();
  signal.addEventListener("abort", onEnd, { once: true });
  if (signal.aborted) onEnd();
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(`retry: ${RETRY_MS}\n\n`);
  const positions = [...options.positions];
  const send = async (index: number, message: StreamMessage, position: string): Promise<void> => {
    positions[index] = position;
    const isTaken = response.write(`id: ${formatPositions(positions)}\ndata: ${JSON.stringify(message)}\n\n`);
    if (!isTaken) await drained(response, clock, stop.signal);
  };
  const followers = topics.map(({ name, topic }, index) =>
    follow(topic, positions[index] ?? "", {
      clock,
      signal: stop.signal,
      tell: (message, position) => send(index, { topic: name, message }, position),
    }),
  );
  try {
    await Promise.all([...followers, signs(response, clock, stop.signal)]);
  } catch (error) {
    if (!stop.signal.aborted || !isAbort(error)) throw error;
  } finally {
    stop.abort();
    await Promise.allSettled(followers);
    signal.removeEventListener("abort", onEnd);
    response.end();
  }
}

interface Follower {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (message: StreamMessage["message"], position: string) => Promise<void>;
}

async function follow(topic: Topic, start: string, { clock, signal, tell }: Follower): Promise<void> {
  let position = start;
  while (!signal.aborted) {
    // Before it is asked: what changes meanwhile counts.
    const called = new Call(topic);
    try {
      const news = await topic.next(position, signal);
      if (news !== undefined) {
        position = news.position;
        await tell(news.message, position);
      }
      await called.within(topic.everyMs, clock, signal);
    } finally {
      called.end();
    }
    await clock.sleep(GATHER_MS, signal);
  }
}

/** One call of a topic. */
class Call {
  readonly #called = Promise.withResolvers<void>();
  readonly #unsubscribe: () => void;

  constructor(topic: Topic) {
    this.#unsubscribe = topic.subscribe(() => this.#called.resolve());
  }

  /** Waits for it, or for so long. */
  async within(ms: number | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#called.reject(new DOMException("the stream ends", "AbortError"));
    const timer = ms === undefined ? undefined : clock.after(ms, () => this.#called.resolve());
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await this.#called.promise;
    } finally {
      timer?.cancel();
      signal.removeEventListener("abort", onAbort);
    }
  }

  end(): void {
    this.#unsubscribe();
  }
}

async function signs(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(SIGN_MS, signal);
    if (!response.writableNeedDrain) response.write(": still here\n\n");
  }
}

/** Resolves when all that was sent is taken, or when nobody will. */
async function drained(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onEnd = (): void => resolve();
  const stuck = clock.after(STUCK_MS, () => response.destroy());
  response.once("drain", onEnd);
  signal.addEventListener("abort", onEnd, { once: true });
  if (!response.writableNeedDrain || signal.aborted) onEnd();
  try {
    await promise;
  } finally {
    stuck.cancel();
    response.off("drain", onEnd);
    signal.removeEventListener("abort", onEnd);
  }
}
