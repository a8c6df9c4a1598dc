/** An invalid path, or one that visits too many values. The message names the invalid part. */
export class JsonPathError extends Error {
  override readonly name: string = "JsonPathError";
  /** Offset in the path, from 0; undefined for evaluation errors. */
  readonly position: number | undefined;

  constructor(reason: string, position?: number) {
    super(position === undefined ? `JSONPath: ${reason}` : `JSONPath: ${reason}, at position ${position}`);
    this.position = position;
  }
}
