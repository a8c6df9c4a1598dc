/** Function libraries for expressions. Begin with `libraries.ts`. */

export { celLibraries } from "./libraries.ts";
export { BINDINGS_LIBRARY, TWO_VAR_COMPREHENSIONS_LIBRARY } from "./bindings.ts";
export { ENCODERS_LIBRARY } from "./encoder.ts";
export type { CelLibrary } from "./library.ts";
export { OPTIONALS_LIBRARY } from "./optional.ts";
export { REGEX_LIBRARY } from "./regex.ts";
export { SETS_LIBRARY } from "./sets.ts";
export { STANDARD_LIBRARY } from "./standard.ts";
