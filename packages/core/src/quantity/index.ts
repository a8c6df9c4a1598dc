/** Quantities such as `12Mi`: exact arithmetic and formatting. Begin with `quantity.ts`. */

export {
  addQuantities,
  compareQuantities,
  isIntegerQuantity,
  quantityToDouble,
  quantityToInteger,
  subQuantities,
} from "./arithmetic.ts";
export { QuantityError } from "./quantity-error.ts";
export { formatQuantity } from "./format.ts";
export { isQuantity, parseQuantity } from "./parse.ts";
export { quantityFromInteger, signOfQuantity } from "./quantity.ts";
export type { Quantity, QuantityFormat } from "./quantity.ts";
