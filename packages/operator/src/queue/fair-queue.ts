/** A queue of texts. Taking from the front costs no more than adding to the end. */
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
 * Keys that wait, first in first out within a namespace, one after the other between namespaces: ten thousand keys of one
 * namespace do not keep a single one of another waiting.
 */
export class FairQueue {
  readonly #lines = new Map<string, Line>();
  /** The namespaces that have keys, in the order of their turns. */
  readonly #turns = new Line();

  /** Adds a key, `namespace/name` or `name`. Who adds a key twice gets it twice. */
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

  /** The key whose turn it is. */
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
