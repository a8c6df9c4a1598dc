/** The functions that expressions may call, in libraries. Begin with `all.ts`. */

export { celLibraries } from "./all.ts";
export { BINDINGS, COMPREHENSIONS } from "./bindings.ts";
export { ENCODERS } from "./encoder.ts";
export type { CelLibrary } from "./library.ts";
export { OPTIONALS } from "./optional.ts";
export { REGEX } from "./regex.ts";
export { SETS } from "./sets.ts";
export { STANDARD } from "./standard.ts";
