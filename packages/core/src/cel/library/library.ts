import type { Overload } from "../declare/index.ts";
import type { MacroTable } from "../syntax/index.ts";

/** A library of functions and macros. */
export interface CelLibrary {
  readonly name: string;
  readonly macros?: MacroTable;
  /** Overloads by function. They are added to those of other libraries. */
  readonly functions?: readonly (readonly [name: string, overloads: readonly Overload[]])[];
}
