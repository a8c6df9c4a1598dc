/** A path that cannot be understood, or that visits too much. The message names the part at fault. */
export class JsonPathError extends Error {
  override readonly name: string = "JsonPathError";
  /** Offset in the path's text, from 0; undefined when the text is fine and its evaluation is not. */
  readonly position: number | undefined;

  constructor(reason: string, position?: number) {
    super(position === undefined ? `JSONPath: ${reason}` : `JSONPath: ${reason}, at position ${position}`);
    this.position = position;
  }
}
