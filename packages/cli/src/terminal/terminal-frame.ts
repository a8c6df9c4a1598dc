/** Redraws lines in place on a terminal. No line may be longer than the terminal is wide. */
export class TerminalFrame {
  readonly #write: (text: string) => void;
  #lines = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Replaces the previously drawn lines. */
  draw(text: string): void {
    const up = this.#lines === 0 ? "" : `\u001B[${this.#lines}A\u001B[0J`;
    this.#write(up + text);
    this.#lines = text.split("\n").length - 1;
  }
}
