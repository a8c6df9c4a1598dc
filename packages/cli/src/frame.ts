/** Lines on a terminal that are drawn over and over in the same place. No line may be longer than the terminal is wide. */
export class Frame {
  readonly #write: (text: string) => void;
  #lines = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Puts these lines, each with its end, in place of those that were drawn before. */
  draw(text: string): void {
    const up = this.#lines === 0 ? "" : `\u001B[${this.#lines}A\u001B[0J`;
    this.#write(up + text);
    this.#lines = text.split("\n").length - 1;
  }
}
