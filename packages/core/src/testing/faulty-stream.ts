import { StatusError } from "../error/index.ts";
import type { Clock } from "../time/index.ts";
import type { EventFault, SeenEvent } from "./fault.ts";

/** What a stream needs to know. */
export interface FaultyStreamOptions {
  readonly clock: Clock | undefined;
  readonly signal: AbortSignal;
  /** What to do to an event that is about to pass. */
  readonly faultFor: (event: SeenEvent) => EventFault | undefined;
  /** How late the next event comes. */
  readonly lagMs: () => number;
  readonly onEnd: () => void;
}

/** The stream of a watch on its way to the client: whole lines, each of which may suffer. */
export class FaultyStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: FaultyStreamOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #cut = Promise.withResolvers<"cut">();
  /** What has arrived and waits to be read, each with the time before which it does not pass. */
  readonly #lines: { readonly text: string; readonly dueAt: number }[] = [];
  #wake: () => void = () => {};
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

  /** Breaks the connection now. What has not been read is lost with it. */
  cut(): void {
    this.#lines.length = 0;
    this.#cut.resolve("cut");
  }

  /** Lets nothing pass any more, without a word. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Takes in all that the server sends as it comes, so that a lag is one of time and not of reading. */
  async #receive(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (let chunk = await this.#reader.read(); !chunk.done; chunk = await this.#reader.read()) {
        const parts = (rest + decoder.decode(chunk.value, { stream: true })).split("\n");
        rest = parts.pop() ?? "";
        for (const part of parts) this.#arrive(`${part}\n`);
      }
    } catch {
      // The server's side broke: for the client that is the end of what was sent.
    }
    if (rest !== "") this.#arrive(rest);
    this.#hasEnded = true;
    this.#wake();
  }

  #arrive(text: string): void {
    const lagMs = this.#options.lagMs();
    this.#lines.push({ text, dueAt: lagMs > 0 ? this.#clock().now() + lagMs : 0 });
    this.#wake();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const line = await Promise.race([this.#next(), this.#cut.promise]);
    if (line === "cut") return this.#break(controller, "");
    if (line === undefined) {
      this.#options.onEnd();
      controller.close();
      return;
    }
    await this.#pass(controller, line);
  }

  async #pass(controller: ReadableStreamDefaultController<Uint8Array>, line: string): Promise<void> {
    const fault = this.#options.faultFor(eventOf(line));
    switch (fault?.kind) {
      case "drop":
        return this.#pull(controller);
      case "cut":
        return this.#break(controller, line.slice(0, Math.ceil(line.length / 2)));
      case "status": {
        const object = new StatusError(fault.reason, `${fault.reason} (injected)`).toStatus();
        this.#send(controller, `${JSON.stringify({ type: "ERROR", object })}\n`);
        this.#end();
        return controller.close();
      }
      case "delay":
        await this.#sleep(fault.ms);
        return this.#send(controller, line);
      case "duplicate":
        return this.#send(controller, line + line);
      case undefined:
        return this.#send(controller, line);
    }
  }

  /** The next line with its end; undefined at the end of the stream. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      const line = this.#isFrozen ? undefined : this.#lines.shift();
      if (line !== undefined) {
        const waitMs = line.dueAt === 0 ? 0 : line.dueAt - this.#clock().now();
        if (waitMs > 0) await this.#sleep(waitMs);
        return line.text;
      }
      if (this.#hasEnded && !this.#isFrozen) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
    controller.enqueue(this.#encoder.encode(text));
  }

  #break(controller: ReadableStreamDefaultController<Uint8Array>, half: string): void {
    if (half !== "") this.#send(controller, half);
    this.#end();
    // What was sent before still arrives; then the connection is gone.
    if (half === "") controller.error(new TypeError("connection reset (injected)"));
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

function eventOf(line: string): SeenEvent {
  const type = /"type":"(\w+)"/u.exec(line)?.[1] ?? "";
  const name = /"metadata":\{[^{}]*?"name":"([^"]*)"/u.exec(line)?.[1] ?? "";
  return { type, name };
}
