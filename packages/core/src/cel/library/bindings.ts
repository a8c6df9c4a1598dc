import { BIND_MACROS, TWO_VARIABLE_MACROS } from "../syntax/index.ts";
import type { CelLibrary } from "./library.ts";

/** The CEL macro `cel.bind`, which gives a subexpression a name. */
export const BINDINGS_LIBRARY: CelLibrary = { name: "bindings", macros: BIND_MACROS };

/** Macros with two variables, `transformList`, `transformMap` and `transformMapEntry`. */
export const TWO_VAR_COMPREHENSIONS_LIBRARY: CelLibrary = { name: "comprehensions", macros: TWO_VARIABLE_MACROS };
