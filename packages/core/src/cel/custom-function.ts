import { functionOverload, memberOverload } from "./declare/index.ts";
import type { Overload, OverloadOptions, CelParameter } from "./declare/index.ts";
import type { CelType, CelValue } from "./value/index.ts";

/** A parameter of a custom function: its type, and the values it accepts at run time. */
export function celParameter<T extends CelValue>(
  type: CelType,
  admits: (value: CelValue) => value is T,
): CelParameter<T> {
  return { type, admits };
}

/** Declares an overload of a custom function called as `f(x)`. The ID must be unique. */
export function celFunction<const P extends readonly CelParameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return functionOverload(id, options);
}

/** Declares an overload of a custom function called as `x.f()`; `x` is its first parameter. */
export function celMethod<const P extends readonly CelParameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return memberOverload(id, options);
}
