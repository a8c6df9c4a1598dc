import {
  QuantityError,
  addQuantities,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  isQuantity,
  parseQuantity,
  quantityFromInteger,
  quantityToDouble,
  quantityToInteger,
  signOfQuantity,
  subQuantities,
} from "../../quantity/index.ts";
import type { Quantity } from "../../quantity/index.ts";
import { stringParam, intParam, objectParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { Overload, CelParameter } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_DOUBLE,
  CEL_INT,
  CEL_STRING,
  CelDouble,
  CelObject,
  celError,
  intOf,
  opaqueType,
} from "../value/index.ts";
import type { CelInt, CelOutcome, CelType } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const QUANTITY: CelType = opaqueType("kubernetes.Quantity");

/** A quantity such as `1500m` or `2Gi`. */
class CelQuantity extends CelObject {
  readonly celType: CelType = QUANTITY;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelQuantity && compareQuantities(this.quantity, other.quantity) === 0;
  }

  override isZero(): boolean {
    return signOfQuantity(this.quantity) === 0;
  }

  override toString(): string {
    return formatQuantity(this.quantity);
  }
}

const aQuantity: CelParameter<CelQuantity> = objectParam(QUANTITY, (value) => value instanceof CelQuantity);

/** Limit on the digits of sums, so that a call takes bounded time. */
const EXPONENT_MAX = 1_000;
const LENGTH_MAX = 1_000;

/** Converts the exception for an invalid quantity or too many digits to an error. */
function guarded(make: () => Quantity): CelOutcome {
  try {
    const quantity = make();
    const isLarge = Math.abs(quantity.exponent) > EXPONENT_MAX;
    return isLarge ? celError("the quantity is too large") : new CelQuantity(quantity);
  } catch (error) {
    if (error instanceof QuantityError) return celError(error.message);
    throw error;
  }
}

function operation(name: string, combine: (a: Quantity, b: Quantity) => Quantity): readonly Overload[] {
  const withInt = (a: CelQuantity, b: CelInt): CelOutcome =>
    guarded(() => combine(a.quantity, quantityFromInteger(BigInt(b))));
  return [
    memberOverload(`quantity_${name}`, {
      parameters: [aQuantity, aQuantity],
      result: QUANTITY,
      call: (a, b) => guarded(() => combine(a.quantity, b.quantity)),
    }),
    memberOverload(`quantity_${name}_int`, { parameters: [aQuantity, intParam], result: QUANTITY, call: withInt }),
  ];
}

function comparison<T extends number | boolean>(
  id: string,
  result: CelType,
  evaluate: (order: number) => T,
): readonly Overload[] {
  return [
    memberOverload(id, {
      parameters: [aQuantity, aQuantity],
      result,
      call: (a, b) => evaluate(compareQuantities(a.quantity, b.quantity)),
    }),
  ];
}

function asInteger({ quantity }: CelQuantity): CelOutcome {
  const integer = quantityToInteger(quantity);
  return integer === undefined ? celError("cannot convert value to integer") : intOf(integer);
}

/** Kubernetes' quantities. */
export const QUANTITY_LIBRARY: CelLibrary = {
  name: "quantities",
  functions: [
    [
      "quantity",
      [
        functionOverload("string_to_quantity", {
          parameters: [stringParam],
          result: QUANTITY,
          cost: "scan",
          call: (text) => {
            return text.length > LENGTH_MAX ? celError("the quantity is too long") : guarded(() => parseQuantity(text));
          },
        }),
      ],
    ],
    [
      "isQuantity",
      [
        functionOverload("is_quantity_string", {
          parameters: [stringParam],
          result: CEL_BOOL,
          cost: "scan",
          call: isQuantity,
        }),
      ],
    ],
    [
      "sign",
      [
        memberOverload("quantity_sign", {
          parameters: [aQuantity],
          result: CEL_INT,
          call: ({ quantity }) => signOfQuantity(quantity),
        }),
      ],
    ],
    [
      "isInteger",
      [
        memberOverload("quantity_is_integer", {
          parameters: [aQuantity],
          result: CEL_BOOL,
          call: ({ quantity }) => isIntegerQuantity(quantity),
        }),
      ],
    ],
    [
      "asInteger",
      [memberOverload("quantity_as_integer", { parameters: [aQuantity], result: CEL_INT, call: asInteger })],
    ],
    [
      "asApproximateFloat",
      [
        memberOverload("quantity_as_float", {
          parameters: [aQuantity],
          result: CEL_DOUBLE,
          call: ({ quantity }) => new CelDouble(quantityToDouble(quantity)),
        }),
      ],
    ],
    ["add", operation("add", addQuantities)],
    ["sub", operation("sub", subQuantities)],
    ["isLessThan", comparison("quantity_is_less_than", CEL_BOOL, (order) => order < 0)],
    ["isGreaterThan", comparison("quantity_is_greater_than", CEL_BOOL, (order) => order > 0)],
    ["compareTo", comparison("quantity_compare_to", CEL_INT, (order) => order)],
    ["string", [functionOverload("quantity_to_string", { parameters: [aQuantity], result: CEL_STRING, call: String })]],
  ],
};
