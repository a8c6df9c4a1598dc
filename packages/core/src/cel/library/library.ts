import type { Overload } from "../declare/index.ts";
import type { MacroTable } from "../syntax/index.ts";

/** Functions and macros that an environment may have. */
export interface CelLibrary {
  readonly name: string;
  readonly macros?: MacroTable;
  /** Signatures by function. Signatures of functions that another library has too are added to those. */
  readonly functions?: readonly (readonly [name: string, overloads: readonly Overload[]])[];
}
