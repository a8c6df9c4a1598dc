/** A text that is no quantity, or a quantity with more digits than we are willing to compute with. */
export class QuantityError extends Error {
  override readonly name: string = "QuantityError";
}

/** Digits that a number may have before we refuse to compute with it: `1e2000000000` is a text of twelve characters. */
export const DIGITS_MAX = 100_000;

/** The refusal of a number that has more digits than `DIGITS_MAX`. */
export function tooManyDigits(): QuantityError {
  return new QuantityError(`a quantity has at most ${DIGITS_MAX} digits`);
}
