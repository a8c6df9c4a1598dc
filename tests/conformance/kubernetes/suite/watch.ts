import type { IncomingMessage } from "node:http";
import { valueAt, match, formatShort } from "./match.ts";
import type { Shape } from "./match.ts";
import { eventually } from "../../../support/eventually.ts";
import { withTimeout } from "./with-timeout.ts";

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** An open watch, read event by event. */
export class Watch implements Disposable {
  readonly #response: IncomingMessage;
  readonly #lines: AsyncIterator<WatchEvent>;

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.#lines = events(response);
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  /** Returns the next event; undefined once the server has ended the watch. */
  async next(): Promise<WatchEvent | undefined> {
    const { value, done } = await withTimeout("the next event of a watch", this.#lines.next());
    return done === true ? undefined : value;
  }

  /** Fails unless the next event has this type and an object of this shape. */
  async expect(type: string, shape: Shape = {}): Promise<WatchEvent> {
    const event = await this.next();
    if (event === undefined) throw new Error(`the watch ended; expected ${type}`);
    if (event.type !== type) throw new Error(`the watch sent ${formatShort(event)}; expected ${type}`);
    match(event.object, shape, `the object of ${type}`);
    return event;
  }

  /** Fails unless the next event has this type and is about the object of this name. */
  async named(type: string, name: string): Promise<WatchEvent> {
    return this.expect(type, { metadata: { name } });
  }

  /** Returns the first matching event. */
  async find(what: string, fits: (event: WatchEvent) => boolean): Promise<WatchEvent> {
    return eventually(what, async () => {
      const event = await this.next();
      if (event === undefined) throw new Error(`the watch ended before ${what}`);
      return fits(event) && event;
    });
  }

  /** Returns all remaining events. */
  async rest(): Promise<readonly WatchEvent[]> {
    const all: WatchEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) all.push(event);
    return all;
  }

  [Symbol.dispose](): void {
    this.#response.destroy();
  }
}

async function* events(response: IncomingMessage): AsyncGenerator<WatchEvent, undefined> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) {
    text += String(chunk);
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const line: unknown = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      yield { type: String(valueAt(line, "type")), object: valueAt(line, "object") };
    }
  }
  return undefined;
}
