import { JsonPathError } from "./json-path-error.ts";

/** A position in a text that is parsed from left to right. */
export class Cursor {
  readonly text: string;
  #position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Offset of the next character. */
  get position(): number {
    return this.#position;
  }

  /** The next character, or "" at the end. */
  peek(): string {
    return this.text.charAt(this.#position);
  }

  /** Whether the rest begins with `expected`. */
  startsWith(expected: string): boolean {
    return this.text.startsWith(expected, this.#position);
  }

  /** Consumes `expected` if the rest begins with it. Reports whether it did. */
  consume(expected: string): boolean {
    if (!this.startsWith(expected)) return false;
    this.#position += expected.length;
    return true;
  }

  /** Consumes `expected`. Throws a `JsonPathError` if the rest does not begin with it. */
  expect(expected: string): void {
    if (!this.consume(expected)) throw this.error(`expected '${expected}'`);
  }

  /** Consumes and returns the match of a sticky expression, or undefined. */
  match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#position;
    const match = sticky.exec(this.text);
    if (match === null) return undefined;
    this.#position = sticky.lastIndex;
    return match;
  }

  /** Consumes the next character. Throws a `JsonPathError` at the end. */
  take(): string {
    const char = this.peek();
    if (char === "") throw this.error("expected a character");
    this.#position += 1;
    return char;
  }

  /** Skips whitespace. */
  skipWhitespace(): void {
    this.match(/[ \t]*/y);
  }

  /** Returns an error at this position. */
  error(reason: string): JsonPathError {
    const found = this.peek();
    return new JsonPathError(found === "" ? `${reason}, found the end` : `${reason}, found '${found}'`, this.#position);
  }
}
