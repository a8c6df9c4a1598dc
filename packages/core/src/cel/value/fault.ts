/** An error as a value: `||`, `&&` and the like absorb it, everything else hands it on. */
export class CelFault {
  readonly message: string;
  /** Offset in the expression's text where it arose; -1 until known. */
  readonly at: number;
  /** Whether something that was asked for is not there: a key, an item, a variable. Other errors are of types, values or bounds. */
  readonly isAbsence: boolean;

  constructor(message: string, at: number = -1, isAbsence: boolean = false) {
    this.message = message;
    this.at = at;
    this.isAbsence = isAbsence;
  }

  /** The same error with its place, unless it has one. */
  located(at: number): CelFault {
    return this.at >= 0 ? this : new CelFault(this.message, at, this.isAbsence);
  }
}

/** An error whose place the caller fills in. */
export function fault(message: string): CelFault {
  return new CelFault(message);
}

/** The error that something is not there; its place is filled in by the caller. */
export function absence(message: string): CelFault {
  return new CelFault(message, -1, true);
}

/** The error of a function that is not defined for the types of its arguments. */
export function noOverload(name: string, types: readonly string[]): CelFault {
  return new CelFault(`no such overload: ${name}(${types.join(", ")})`);
}
