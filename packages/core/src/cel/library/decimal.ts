/** A finite double as a fraction of integers. */
function fraction(value: number): { readonly numerator: bigint; readonly denominator: bigint } {
  let exponent = 0;
  let mantissa = Math.abs(value);
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2; // exact, and at most 1074 times
    exponent += 1;
  }
  return { numerator: BigInt(mantissa), denominator: 1n << BigInt(exponent) };
}

/** Rounds a fraction to an integer, half to even. */
function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

/**
 * Formats a finite double with a fixed number of decimals, rounding the exact value half to even; `toFixed` rounds half
 * up.
 */
export function formatFixed(value: number, decimals: number): string {
  const { numerator, denominator } = fraction(value);
  const digits = String(roundHalfEven(numerator * 10n ** BigInt(decimals), denominator)).padStart(decimals + 1, "0");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** A finite double with an exponent of at least two digits. */
export function formatExponent(value: number, decimals: number): string {
  const [mantissa = "", exponent = "+0"] = value.toExponential(decimals).split("e");
  return `${mantissa}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
}
