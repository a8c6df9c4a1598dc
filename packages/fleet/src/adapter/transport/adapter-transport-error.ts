import type { FailureKind } from "../situation/index.ts";

/** Details of a transport failure. */
export interface AdapterTransportErrorOptions extends ErrorOptions {
  /** What the failure means for the work. Default: `undetermined`, the adapter could not determine the state. */
  readonly means?: FailureKind;
}

/** Failure of a transport operation. Transient: the same operation may succeed later without any change. */
export class AdapterTransportError extends Error {
  override readonly name: string = "AdapterTransportError";
  readonly isTransient: boolean;
  readonly means: FailureKind;

  constructor(
    message: string,
    isTransient: boolean,
    { means = "undetermined", ...options }: AdapterTransportErrorOptions = {},
  ) {
    super(message, options);
    this.isTransient = isTransient;
    this.means = means;
  }
}
