/** Why a strategic merge patch cannot be applied: it is malformed, it does not fit the object, or something else is wrong. */
export type StrategicPatchFault = "malformed" | "mismatch" | "other";

/** A strategic merge patch that makes no sense, by itself or for this object. */
export class StrategicPatchError extends Error {
  override readonly name: string = "StrategicPatchError";
  readonly fault: StrategicPatchFault;

  constructor(fault: StrategicPatchFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
