import { StatusError } from "../error/index.ts";
import type { Clock } from "../time/index.ts";
import type { EventFault, RecordedEvent } from "./fault.ts";

/** Options of {@link FaultyStream}. */
export interface FaultyStreamOptions {
  readonly clock: Clock | undefined;
  readonly signal: AbortSignal;
  /** Returns the fault to inject into an event, which is read only on request. */
  readonly faultFor: (event: () => RecordedEvent) => EventFault | undefined;
  /** Returns the delay of the next event. */
  readonly lagMs: () => number;
  readonly onEnd: () => void;
}

/** The response stream of a watch, split into lines, with faults injected per line. */
export class FaultyStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: FaultyStreamOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #cut = Promise.withResolvers<"cut">();
  /** Received lines that have not been read, each with the monotonic time of its earliest delivery; 0 is at once. */
  readonly #lines: { readonly bytes: Uint8Array; readonly dueAt: number }[] = [];
  #notify: () => void = () => {};
  #hasEnded = false;
  #isFrozen = false;

  constructor(source: ReadableStream<Uint8Array>, options: FaultyStreamOptions) {
    this.#options = options;
    this.#reader = source.getReader();
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
    void this.#receive();
  }

  /** Breaks the connection. Unread lines are lost. */
  cut(): void {
    this.#lines.length = 0;
    this.#cut.resolve("cut");
  }

  /** Stops delivery without closing the stream. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Reads from the server without waiting for the client, so that the delay depends on time only. */
  async #receive(): Promise<void> {
    let rest: Uint8Array = new Uint8Array();
    try {
      for (let chunk = await this.#reader.read(); !chunk.done; chunk = await this.#reader.read()) {
        rest = rest.length === 0 ? chunk.value : Buffer.concat([rest, chunk.value]);
        for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
          this.#arrive(rest.subarray(0, end + 1));
          rest = rest.subarray(end + 1);
        }
      }
    } catch {
      // The server's side broke: for the client that is the end of what was sent.
    }
    if (rest.length > 0) this.#arrive(rest);
    this.#hasEnded = true;
    this.#notify();
  }

  #arrive(bytes: Uint8Array): void {
    const lagMs = this.#options.lagMs();
    this.#lines.push({ bytes, dueAt: lagMs > 0 ? this.#clock().monotonic() + lagMs : 0 });
    this.#notify();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const line = await Promise.race([this.#next(), this.#cut.promise]);
    if (line === "cut") return this.#break(controller);
    if (line === undefined) {
      this.#options.onEnd();
      controller.close();
      return;
    }
    await this.#pass(controller, line);
  }

  async #pass(controller: ReadableStreamDefaultController<Uint8Array>, line: Uint8Array): Promise<void> {
    const fault = this.#options.faultFor(() => eventOf(line));
    switch (fault?.kind) {
      case "drop":
        return this.#pull(controller);
      case "cut":
        return this.#break(controller, line.subarray(0, Math.ceil(line.length / 2)));
      case "status": {
        const object = new StatusError(fault.reason, `${fault.reason} (injected)`).toStatus();
        controller.enqueue(Buffer.from(`${JSON.stringify({ type: "ERROR", object })}\n`));
        this.#end();
        return controller.close();
      }
      case "delay":
        await this.#sleep(fault.ms);
        return controller.enqueue(line);
      case "duplicate":
        return controller.enqueue(Buffer.concat([line, line]));
      case undefined:
        return controller.enqueue(line);
    }
  }

  /** Returns the next line with its line break, or undefined at the end of the stream. */
  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const line = this.#isFrozen ? undefined : this.#lines.shift();
      if (line !== undefined) {
        const waitMs = line.dueAt === 0 ? 0 : line.dueAt - this.#clock().monotonic();
        if (waitMs > 0) await this.#sleep(waitMs);
        return line.bytes;
      }
      if (this.#hasEnded && !this.#isFrozen) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      await promise;
    }
  }

  #break(controller: ReadableStreamDefaultController<Uint8Array>, half?: Uint8Array): void {
    if (half !== undefined) controller.enqueue(half);
    this.#end();
    // Earlier lines are delivered before the connection breaks.
    if (half === undefined) controller.error(new TypeError("connection reset (injected)"));
    else controller.close();
  }

  #end(): void {
    this.#options.onEnd();
    this.#reader.cancel().catch(() => {});
  }

  #sleep(ms: number): Promise<void> {
    return this.#clock().sleep(ms, this.#options.signal);
  }

  #clock(): Clock {
    const { clock } = this.#options;
    if (clock === undefined) throw new TypeError("a delay needs a clock: faultyFetch(server, { clock })");
    return clock;
  }
}

const NEWLINE = 0x0a;
const utf8 = new TextDecoder();

function eventOf(bytes: Uint8Array): RecordedEvent {
  const line = utf8.decode(bytes);
  const type = /"type":"(\w+)"/u.exec(line)?.[1] ?? "";
  const name = /"metadata":\{[^{}]*?"name":"([^"]*)"/u.exec(line)?.[1] ?? "";
  return { type, name };
}
