/** Invalid expression syntax. Thrown inside the parser only; callers receive it as an issue. */
export class CelSyntaxError extends Error {
  override readonly name: string = "CelSyntaxError";
  /** Offset in the text, from 0. */
  readonly at: number;

  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}
