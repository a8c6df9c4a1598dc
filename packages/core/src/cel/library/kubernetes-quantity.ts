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
import { aString, anInt, anObject, global, member } from "../declare/index.ts";
import type { Overload, Parameter } from "../declare/index.ts";
import {
  CEL_BOOL,
  CEL_DOUBLE,
  CEL_INT,
  CEL_STRING,
  CelDouble,
  CelObject,
  fault,
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

const aQuantity: Parameter<CelQuantity> = anObject(QUANTITY, (value) => value instanceof CelQuantity);

/** Beyond this, sums of quantities would take longer than a call may. */
const EXPONENT_MAX = 1_000;
const LENGTH_MAX = 1_000;

/** Runs something that throws where a number has too many digits, or a text is no quantity. */
function guarded(make: () => Quantity): CelOutcome {
  try {
    const quantity = make();
    const isLarge = Math.abs(quantity.exponent) > EXPONENT_MAX;
    return isLarge ? fault("the quantity is too large") : new CelQuantity(quantity);
  } catch (error) {
    if (error instanceof QuantityError) return fault(error.message);
    throw error;
  }
}

function operation(name: string, combine: (a: Quantity, b: Quantity) => Quantity): readonly Overload[] {
  const withInt = (a: CelQuantity, b: CelInt): CelOutcome =>
    guarded(() => combine(a.quantity, quantityFromInteger(BigInt(b))));
  return [
    member(`quantity_${name}`, {
      parameters: [aQuantity, aQuantity],
      result: QUANTITY,
      call: (a, b) => guarded(() => combine(a.quantity, b.quantity)),
    }),
    member(`quantity_${name}_int`, { parameters: [aQuantity, anInt], result: QUANTITY, call: withInt }),
  ];
}

function comparison<T extends number | boolean>(
  id: string,
  result: CelType,
  judge: (order: number) => T,
): readonly Overload[] {
  return [
    member(id, {
      parameters: [aQuantity, aQuantity],
      result,
      call: (a, b) => judge(compareQuantities(a.quantity, b.quantity)),
    }),
  ];
}

function asInteger({ quantity }: CelQuantity): CelOutcome {
  const integer = quantityToInteger(quantity);
  return integer === undefined ? fault("cannot convert value to integer") : intOf(integer);
}

/** Kubernetes' quantities. */
export const QUANTITIES: CelLibrary = {
  name: "quantities",
  functions: [
    [
      "quantity",
      [
        global("string_to_quantity", {
          parameters: [aString],
          result: QUANTITY,
          cost: "scan",
          call: (text) => {
            return text.length > LENGTH_MAX ? fault("the quantity is too long") : guarded(() => parseQuantity(text));
          },
        }),
      ],
    ],
    [
      "isQuantity",
      [global("is_quantity_string", { parameters: [aString], result: CEL_BOOL, cost: "scan", call: isQuantity })],
    ],
    [
      "sign",
      [
        member("quantity_sign", {
          parameters: [aQuantity],
          result: CEL_INT,
          call: ({ quantity }) => signOfQuantity(quantity),
        }),
      ],
    ],
    [
      "isInteger",
      [
        member("quantity_is_integer", {
          parameters: [aQuantity],
          result: CEL_BOOL,
          call: ({ quantity }) => isIntegerQuantity(quantity),
        }),
      ],
    ],
    ["asInteger", [member("quantity_as_integer", { parameters: [aQuantity], result: CEL_INT, call: asInteger })]],
    [
      "asApproximateFloat",
      [
        member("quantity_as_float", {
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
    ["string", [global("quantity_to_string", { parameters: [aQuantity], result: CEL_STRING, call: String })]],
  ],
};
