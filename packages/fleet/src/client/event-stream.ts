/** A server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The last ID that was sent, with this event or before it. */
  readonly id: string;
}

/** The maximum length of a line, to bound memory. */
const LINE_MAX: number = 16 * 1024 * 1024;

/**
 * Parses a stream of server-sent events incrementally: a chunk may end anywhere. Comments are heartbeats and are
 * dropped. An incomplete event at the end of the stream is dropped.
 */
export class EventStreamParser {
  #rest = "";
  #event = "";
  #data: string[] = [];
  #id = "";

  /** Returns the events that a chunk completes. Throws if a line is too long. */
  push(chunk: string): readonly StreamEvent[] {
    const text = this.#rest + chunk;
    // A trailing carriage return may be the first half of a line ending.
    const held = text.endsWith("\r") ? 1 : 0;
    const lines = text.slice(0, text.length - held).split(/\r\n|\n|\r/u);
    this.#rest = (lines.pop() ?? "") + text.slice(text.length - held);
    if (this.#rest.length > LINE_MAX) throw new RangeError("a line of the event stream is too long");
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): readonly StreamEvent[] {
    if (line === "") return this.#finished();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /u, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return [];
  }

  #finished(): readonly StreamEvent[] {
    const found = { event: this.#event === "" ? "message" : this.#event, data: this.#data.join("\n"), id: this.#id };
    const isEvent = this.#data.length > 0 || this.#event !== "";
    this.#event = "";
    this.#data = [];
    return isEvent ? [found] : [];
  }
}
