import type { Clock } from "../time/index.ts";

/** A server-sent event. */
export interface ServerSentEvent {
  /** Default: `message`. */
  readonly event?: string;
  /** A client resumes after the last ID that it received. */
  readonly id?: string;
  /** One line, for example JSON. */
  readonly data: string;
}

/** Returns the text of an event. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Options of {@link EventStream}. */
export interface EventStreamOptions {
  readonly clock: Clock;
  /** Interval of comments, which keep proxies from closing the connection. */
  readonly heartbeatMs: number;
  /** Time after which a client that reads nothing is disconnected, because its data stays in memory. */
  readonly stallMs: number;
  /** Aborts when the client disconnects or the server stops: the signal of the request. */
  readonly signal: AbortSignal;
}

interface Chunk {
  readonly text: string;
  readonly sent: PromiseWithResolvers<void>;
}

/** The body of a response that is written by several producers. Each waits until the client has read its last event. */
export class EventStream implements AsyncIterable<string> {
  readonly #options: EventStreamOptions;
  readonly #chunks: Chunk[] = [];
  readonly #abort = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #changed = Promise.withResolvers<void>();
  #isEnded = false;
  #error: Error | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal.aborted) this.end();
  }

  /** Aborts when the connection must be closed, because the client reads nothing. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  /** Resolves when the stream has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Resolves when the client can receive more, or the stream has ended. */
  async send(text: string): Promise<void> {
    if (this.#isEnded) return;
    const { clock, stallMs } = this.#options;
    const sent = Promise.withResolvers<void>();
    this.#chunks.push({ text, sent });
    this.#changed.resolve();
    const stalled = clock.after(stallMs, () => this.#abort.abort());
    await sent.promise;
    stalled.cancel();
  }

  /** Ends the stream. An error closes the connection, so that the client notices it. Idempotent. */
  end(error?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    for (const { sent } of this.#chunks) sent.resolve();
    this.#changed.resolve();
    this.#ended.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    const { clock, heartbeatMs } = this.#options;
    try {
      while (!this.#isEnded) {
        const [first] = this.#chunks;
        if (first !== undefined) {
          yield first.text;
          // The consumer asks for more when the client has read the chunk.
          this.#chunks.shift();
          first.sent.resolve();
          continue;
        }
        this.#changed = Promise.withResolvers<void>();
        let isQuiet = false;
        const heartbeat = clock.after(heartbeatMs, () => {
          isQuiet = true;
          this.#changed.resolve();
        });
        await this.#changed.promise;
        heartbeat.cancel();
        if (isQuiet && !this.#isEnded) yield ": heartbeat\n\n";
      }
    } finally {
      this.end();
    }
    if (this.#error !== undefined) throw this.#error;
  }

  readonly #onAbort = (): void => this.end();
}
