/** An error as a value: `||`, `&&` and the like absorb it, everything else hands it on. */
export class CelFault {
  readonly message: string;
  /** Offset in the expression's text where it arose; -1 until known. */
  readonly at: number;

  constructor(message: string, at: number = -1) {
    this.message = message;
    this.at = at;
  }

  /** The same error with its place, unless it has one. */
  located(at: number): CelFault {
    return this.at >= 0 ? this : new CelFault(this.message, at);
  }
}

/** An error whose place the caller fills in. */
export function fault(message: string): CelFault {
  return new CelFault(message);
}

/** The error of a function that is not defined for the types of its arguments. */
export function noOverload(name: string, types: readonly string[]): CelFault {
  return new CelFault(`no such overload: ${name}(${types.join(", ")})`);
}
