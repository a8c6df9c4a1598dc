/** A text is not a quantity, or a quantity has too many digits. */
export class QuantityError extends Error {
  override readonly name: string = "QuantityError";
}

/** Maximum number of digits: `1e2000000000` is a text of twelve characters. */
export const DIGITS_MAX = 100_000;

/** Returns the error for a number with more digits than `DIGITS_MAX`. */
export function tooManyDigits(): QuantityError {
  return new QuantityError(`a quantity can have at most ${DIGITS_MAX} digits`);
}
