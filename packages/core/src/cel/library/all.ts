import { BINDINGS, COMPREHENSIONS } from "./bindings.ts";
import { ENCODERS } from "./encoder.ts";
import { KUBERNETES } from "./kubernetes.ts";
import type { CelLibrary } from "./library.ts";
import { LISTS } from "./lists.ts";
import { MATH } from "./math.ts";
import { OPTIONALS } from "./optional.ts";
import { SETS } from "./sets.ts";
import { STRINGS } from "./strings.ts";

const EXTENSIONS: readonly CelLibrary[] = [OPTIONALS, BINDINGS, COMPREHENSIONS, STRINGS, LISTS, MATH, ENCODERS, SETS];

/** The libraries an environment may have beyond the language itself, alone and together. */
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
  optionals: OPTIONALS,
  bindings: BINDINGS,
  comprehensions: COMPREHENSIONS,
  strings: STRINGS,
  lists: LISTS,
  math: MATH,
  encoders: ENCODERS,
  sets: SETS,
  kubernetes: KUBERNETES,
  extensions: EXTENSIONS,
  all: [...EXTENSIONS, KUBERNETES],
};
