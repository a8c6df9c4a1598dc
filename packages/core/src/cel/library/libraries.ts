import { BINDINGS_LIBRARY, TWO_VAR_COMPREHENSIONS_LIBRARY } from "./bindings.ts";
import { ENCODERS_LIBRARY } from "./encoder.ts";
import { KUBERNETES_LIBRARY } from "./kubernetes.ts";
import type { CelLibrary } from "./library.ts";
import { LISTS_LIBRARY } from "./lists.ts";
import { MATH_LIBRARY } from "./math.ts";
import { OPTIONALS_LIBRARY } from "./optional.ts";
import { SETS_LIBRARY } from "./sets.ts";
import { STRINGS_LIBRARY } from "./strings.ts";

const EXTENSIONS: readonly CelLibrary[] = [
  OPTIONALS_LIBRARY,
  BINDINGS_LIBRARY,
  TWO_VAR_COMPREHENSIONS_LIBRARY,
  STRINGS_LIBRARY,
  LISTS_LIBRARY,
  MATH_LIBRARY,
  ENCODERS_LIBRARY,
  SETS_LIBRARY,
];

/** The libraries that can be added to an environment, alone and together. */
export const celLibraries: {
  readonly optionals: CelLibrary;
  /** `cel.bind`. */
  readonly bindings: CelLibrary;
  /** Macros with two variables. */
  readonly comprehensions: CelLibrary;
  readonly strings: CelLibrary;
  readonly lists: CelLibrary;
  readonly math: CelLibrary;
  readonly encoders: CelLibrary;
  readonly sets: CelLibrary;
  readonly kubernetes: CelLibrary;
  /** The extensions of CEL, without those of Kubernetes. */
  readonly extensions: readonly CelLibrary[];
  readonly all: readonly CelLibrary[];
} = {
  optionals: OPTIONALS_LIBRARY,
  bindings: BINDINGS_LIBRARY,
  comprehensions: TWO_VAR_COMPREHENSIONS_LIBRARY,
  strings: STRINGS_LIBRARY,
  lists: LISTS_LIBRARY,
  math: MATH_LIBRARY,
  encoders: ENCODERS_LIBRARY,
  sets: SETS_LIBRARY,
  kubernetes: KUBERNETES_LIBRARY,
  extensions: EXTENSIONS,
  all: [...EXTENSIONS, KUBERNETES_LIBRARY],
};
