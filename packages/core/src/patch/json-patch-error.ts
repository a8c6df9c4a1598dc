/** Why a patch does not apply: a failed test, a missing path, or an invalid patch. */
export type JsonPatchErrorKind = "test-failed" | "missing" | "invalid";

/** A JSON patch is invalid or does not apply. The message names the operation and the path, but no values. */
export class JsonPatchError extends Error {
  override readonly name: string = "JsonPatchError";
  readonly kind: JsonPatchErrorKind;
  /** Index of the operation; undefined if the whole document is invalid. */
  readonly index: number | undefined;
  /** The JSON pointer with the problem, if any. */
  readonly path: string | undefined;

  constructor(
    kind: JsonPatchErrorKind,
    reason: string,
    place?: { readonly index: number; readonly path?: string | undefined },
  ) {
    super(place === undefined ? `JSON patch: ${reason}` : `JSON patch: operation ${place.index}: ${reason}`);
    this.kind = kind;
    this.index = place?.index;
    this.path = place?.path;
  }
}
