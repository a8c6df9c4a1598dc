import { JsonPathError } from "./error.ts";

/** A place in a text that is being read from left to right. */
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
  sees(expected: string): boolean {
    return this.text.startsWith(expected, this.#position);
  }

  /** Skips `expected` where the rest begins with it, and says whether it did. */
  eat(expected: string): boolean {
    if (!this.sees(expected)) return false;
    this.#position += expected.length;
    return true;
  }

  /** Skips `expected`, or throws. */
  expect(expected: string): void {
    if (!this.eat(expected)) throw this.fail(`expected '${expected}'`);
  }

  /** Skips what a sticky expression matches here and returns the match, or undefined. */
  match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#position;
    const match = sticky.exec(this.text);
    if (match === null) return undefined;
    this.#position = sticky.lastIndex;
    return match;
  }

  /** Takes the next character; throws at the end. */
  take(): string {
    const char = this.peek();
    if (char === "") throw this.fail("expected a character");
    this.#position += 1;
    return char;
  }

  /** Skips blanks. */
  skipBlank(): void {
    this.match(/[ \t]*/y);
  }

  /** An error at this place, to be thrown. */
  fail(reason: string): JsonPathError {
    const found = this.peek();
    return new JsonPathError(found === "" ? `${reason}, found the end` : `${reason}, found '${found}'`, this.#position);
  }
}
