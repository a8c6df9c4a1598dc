/** Why a patch does not apply: a test did not hold, a place does not exist, or the patch makes no sense. */
export type PatchErrorKind = "test-failed" | "missing" | "invalid";

/** A JSON patch that was refused or does not apply. Names the operation and the place, never the values there. */
export class PatchError extends Error {
  override readonly name: string = "PatchError";
  readonly kind: PatchErrorKind;
  /** Which operation, from 0; undefined when the document as a whole is at fault. */
  readonly index: number | undefined;
  /** The JSON pointer at fault; undefined where there is none. */
  readonly path: string | undefined;

  constructor(
    kind: PatchErrorKind,
    reason: string,
    place?: { readonly index: number; readonly path?: string | undefined },
  ) {
    super(place === undefined ? `JSON patch: ${reason}` : `JSON patch: operation ${place.index}: ${reason}`);
    this.kind = kind;
    this.index = place?.index;
    this.path = place?.path;
  }
}
