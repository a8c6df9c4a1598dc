/** Why a strategic merge patch fails: it is malformed, it does not match the object, or another problem. */
export type StrategicPatchErrorKind = "malformed" | "mismatch" | "other";

/** A strategic merge patch is invalid, or does not match the object. */
export class StrategicPatchError extends Error {
  override readonly name: string = "StrategicPatchError";
  readonly kind: StrategicPatchErrorKind;

  constructor(kind: StrategicPatchErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
