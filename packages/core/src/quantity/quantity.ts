/** `resource.Quantity` of Kubernetes: an exact decimal number with a format. */

/** The notation of a quantity: `12Mi`, `12M` or `12e6`. */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** The number `unscaled × 10^exponent`. Equal quantities may differ in every field. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  /**
   * How `resource.Quantity` stores the number (k8s.io/apimachinery/pkg/api/resource/quantity.go). This is observable:
   * only a quantity in `int64` counts as an integer, so 10Ti does and 100Ti does not.
   */
  readonly storage: "int64" | "decimal";
  readonly format: QuantityFormat;
}

/** The largest value of a quantity with a binary suffix. */
export const INT64_MAX: bigint = 2n ** 63n - 1n;

/** Reports whether the number fits a signed 64-bit integer. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Returns a 64-bit integer as a quantity. CEL's `add(int)` and `sub(int)` use the format `DecimalExponent`. */
export function quantityFromInteger(value: bigint, format: QuantityFormat = "DecimalExponent"): Quantity {
  return { unscaled: value, exponent: 0, storage: fitsInt64(value) ? "int64" : "decimal", format };
}

/** Returns -1, 0 or 1. */
export function signOfQuantity(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.unscaled === 0n) return 0;
  return quantity.unscaled < 0n ? -1 : 1;
}
