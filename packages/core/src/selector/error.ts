/** A selector that cannot be understood. The message names the part at fault; `position` is its offset in the text. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
  /** Offset in the selector's text, from 0; undefined for a selector that was no text. */
  readonly position: number | undefined;

  constructor(reason: string, position?: number) {
    super(position === undefined ? reason : `${reason}, at position ${position}`);
    this.position = position;
  }
}
