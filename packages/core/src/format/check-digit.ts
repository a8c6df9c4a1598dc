/** Book and card numbers with a check digit. */

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

/** Reports whether the text is a credit card number. Characters other than digits are ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  return weighted(digits, (digit, index) => luhn(digit, (digits.length - index) % 2 === 0)) % 10 === 0;
}

/**
 * Reports whether the text is an ISBN of ten digits, the last of which may be an `X`. Spaces and dashes are ignored.
 */
export function isIsbn10(text: string): boolean {
  const digits = withoutDashes(text);
  return /^(?:[0-9]{9}X|[0-9]{10})$/.test(digits) && weighted(digits, (digit, index) => digit * (index + 1)) % 11 === 0;
}

/** Reports whether the text is an ISBN of thirteen digits. Spaces and dashes are ignored. */
export function isIsbn13(text: string): boolean {
  const digits = withoutDashes(text);
  return /^[0-9]{13}$/.test(digits) && weighted(digits, (digit, index) => digit * (index % 2 === 0 ? 1 : 3)) % 10 === 0;
}

function withoutDashes(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]+/g, "");
}

function weighted(digits: string, weigh: (digit: number, index: number) => number): number {
  return digits.split("").reduce((sum, text, index) => sum + weigh(text === "X" ? 10 : Number(text), index), 0);
}

function luhn(digit: number, doubled: boolean): number {
  const value = doubled ? digit * 2 : digit;
  return value > 9 ? value - 9 : value;
}
