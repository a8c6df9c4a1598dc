/** An error as a value: `||`, `&&` and similar operators absorb it, all others propagate it. */
export class CelError {
  readonly message: string;
  /** Offset in the expression; -1 until known. */
  readonly at: number;
  /** Whether a requested key, item or variable is missing. Other errors are of types, values or limits. */
  readonly isMissing: boolean;

  constructor(message: string, at: number = -1, isMissing: boolean = false) {
    this.message = message;
    this.at = at;
    this.isMissing = isMissing;
  }

  /** Returns the error with a location, unless it has one. */
  withOffset(at: number): CelError {
    return this.at >= 0 ? this : new CelError(this.message, at, this.isMissing);
  }
}

/** Returns an error whose location the caller sets. */
export function celError(message: string): CelError {
  return new CelError(message);
}

/** Returns the error for a missing value. The caller sets the location. */
export function missingError(message: string): CelError {
  return new CelError(message, -1, true);
}

/** Returns the error for a function without an overload for the argument types. */
export function noOverload(name: string, types: readonly string[]): CelError {
  return new CelError(`no such overload: ${name}(${types.join(", ")})`);
}
