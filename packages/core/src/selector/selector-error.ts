/** An invalid selector. The message names the invalid part; `position` is its offset in the text. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
  /** Offset in the text, from 0; undefined for selectors in object form. */
  readonly position: number | undefined;

  constructor(reason: string, position?: number) {
    super(position === undefined ? reason : `${reason}, at position ${position}`);
    this.position = position;
  }
}
