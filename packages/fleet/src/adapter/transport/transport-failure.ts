/** A transport could not do what was asked. Transient: the same may succeed later without any change. */
export class TransportFailure extends Error {
  override readonly name: string = "TransportFailure";
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTransient = isTransient;
  }
}
