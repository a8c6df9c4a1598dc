/** Kubernetes' `resource.Quantity`: an exact decimal number that remembers how it was written. */

/** How a quantity is written: `12Mi`, `12M` or `12e6`. */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** The number `unscaled × 10^exponent`. Two quantities may be equal and yet differ in every field. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  /**
   * How Kubernetes holds the number, which can be observed: only a quantity in `int64` is ever an integer, so that 10Ti
   * is one and 100Ti is not.
   */
  readonly storage: "int64" | "decimal";
  readonly format: QuantityFormat;
}

/** The largest number that a binary suffix can write. */
export const INT64_MAX: bigint = 2n ** 63n - 1n;

/** Whether the number is one of 64 bits with a sign. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** An integer of 64 bits as a quantity. CEL's `add(int)` and `sub(int)` use the format `DecimalExponent`. */
export function quantityFromInteger(value: bigint, format: QuantityFormat = "DecimalExponent"): Quantity {
  return { unscaled: value, exponent: 0, storage: fitsInt64(value) ? "int64" : "decimal", format };
}

/** -1, 0 or 1. */
export function signOfQuantity(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.unscaled === 0n) return 0;
  return quantity.unscaled < 0n ? -1 : 1;
}
