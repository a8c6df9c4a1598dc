import type { FailureKind } from "../situation/index.ts";

/** What is known of a failure beside its message. */
export interface TransportFailureOptions extends ErrorOptions {
  /** What it means for the work. Default: `unjudged`, the adapter could not find out. */
  readonly means?: FailureKind;
}

/** A transport could not do what was asked. Transient: the same may succeed later without any change. */
export class TransportFailure extends Error {
  override readonly name: string = "TransportFailure";
  readonly isTransient: boolean;
  readonly means: FailureKind;

  constructor(message: string, isTransient: boolean, { means = "unjudged", ...options }: TransportFailureOptions = {}) {
    super(message, options);
    this.isTransient = isTransient;
    this.means = means;
  }
}
