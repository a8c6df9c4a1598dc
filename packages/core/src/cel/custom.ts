import { global, member } from "./declare/index.ts";
import type { Overload, OverloadOptions, Parameter } from "./declare/index.ts";
import type { CelType, CelValue } from "./value/index.ts";

/** A parameter of a function of one's own: its type, and which values it admits at run time. */
export function celParameter<T extends CelValue>(type: CelType, admits: (value: CelValue) => value is T): Parameter<T> {
  return { type, admits };
}

/** A signature of a function of one's own that is called as `f(x)`. The id must be unlike that of any other signature. */
export function celFunction<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return global(id, options);
}

/** A signature of a function of one's own that is called as `x.f()`; `x` is its first parameter. */
export function celMethod<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return member(id, options);
}
