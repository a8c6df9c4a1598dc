import type { IncomingMessage } from "node:http";
import type { Headers, FleetHttpClient } from "./http.ts";

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads a stream of server-sent events until disposed. */
export class EventReader implements AsyncDisposable {
  readonly events: StreamEvent[] = [];
  readonly #incoming: IncomingMessage;
  readonly #ended: Promise<void>;
  readonly #waiters = new Set<() => void>();
  #rest = "";
  #isOver = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => this.#take(chunk));
    this.#ended = new Promise((resolve) => {
      // Disposing cuts the connection: that is not a failure.
      incoming.on("error", () => {});
      incoming.on("close", () => {
        this.#isOver = true;
        this.#notify();
        resolve();
      });
    });
  }

  static async open(http: FleetHttpClient, path: string, headers: Headers = {}): Promise<EventReader> {
    const incoming = await http.open("GET", path, undefined, { accept: "text/event-stream", ...headers });
    if (incoming.statusCode !== 200) throw new Error(`GET ${path}: ${incoming.statusCode}`);
    return new EventReader(incoming);
  }

  /** Resolves once the events meet a condition; rejects if the stream ends first. */
  async until(isMet: (events: readonly StreamEvent[]) => boolean): Promise<void> {
    while (!isMet(this.events)) {
      if (this.#isOver) throw new Error("the stream has ended");
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#incoming.destroy();
    await this.#ended;
  }

  #take(chunk: string): void {
    const blocks = (this.#rest + chunk).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parsed(block);
      if (event !== undefined) this.events.push(event);
    }
    this.#notify();
  }

  #notify(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}

/** Parses a block of lines; undefined for comments, which keep the connection alive. */
function parsed(block: string): StreamEvent | undefined {
  const lines = block.split("\n").map((line) => /^(?<name>[a-z]*): ?(?<value>.*)$/u.exec(line)?.groups ?? {});
  const valueOf = (expected: string): string | undefined => lines.find(({ name }) => name === expected)?.["value"];
  const data = lines.filter(({ name }) => name === "data").map(({ value }) => value);
  const event = valueOf("event");
  if (event === undefined && data.length === 0) return undefined;
  return { event: event ?? "message", id: valueOf("id"), data: data.join("\n") };
}
