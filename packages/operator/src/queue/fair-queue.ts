/** A FIFO queue of strings with constant-time push and shift. */
class Line {
  #texts: string[] = [];
  #head = 0;

  get length(): number {
    return this.#texts.length - this.#head;
  }

  push(text: string): void {
    this.#texts.push(text);
  }

  shift(): string | undefined {
    const text = this.#texts[this.#head];
    if (text === undefined) return undefined;
    this.#head++;
    if (this.#head > 64 && this.#head * 2 > this.#texts.length) {
      this.#texts = this.#texts.slice(this.#head);
      this.#head = 0;
    }
    return text;
  }
}

/**
 * A queue of keys: FIFO within a namespace, round robin between namespaces, so that ten thousand keys of one namespace
 * do not delay a key of another.
 */
export class FairQueue {
  readonly #lines = new Map<string, Line>();
  /** The namespaces that have keys, in round-robin order. */
  readonly #turns = new Line();

  /** Adds a key, `namespace/name` or `name`. Duplicate keys are queued twice. */
  push(key: string): void {
    const namespace = key.slice(0, Math.max(0, key.indexOf("/")));
    let line = this.#lines.get(namespace);
    if (line === undefined) {
      line = new Line();
      this.#lines.set(namespace, line);
      this.#turns.push(namespace);
    }
    line.push(key);
  }

  /** Removes and returns the next key, or undefined if the queue is empty. */
  shift(): string | undefined {
    const namespace = this.#turns.shift();
    if (namespace === undefined) return undefined;
    const line = this.#lines.get(namespace);
    const key = line?.shift();
    if (line !== undefined && line.length > 0) this.#turns.push(namespace);
    else this.#lines.delete(namespace);
    return key;
  }
}
