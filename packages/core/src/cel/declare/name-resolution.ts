import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelTypeValue,
  listType,
  mapType,
  optionalType,
  typeType,
} from "../value/index.ts";
import type { CelType, CelValue } from "../value/index.ts";
import type { FunctionTable, Overload } from "./overload.ts";
import type { CelTypeProvider } from "./provider.ts";

/** The declaration that a name resolves to. */
export type IdentDeclaration =
  | { readonly kind: "variable"; readonly name: string; readonly type: CelType }
  | { readonly kind: "constant"; readonly type: CelType; readonly value: CelValue };

/** The declarations of an environment, for the checker and the planner. */
export interface Declarations {
  /** The container: a prefix for relative names. In `a.b`, `x` resolves to `a.b.x`, `a.x` or `x`. */
  readonly container: string;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
  readonly provider: CelTypeProvider;
}

const TYPES: ReadonlyMap<string, CelType> = new Map([
  ["bool", CEL_BOOL],
  ["int", CEL_INT],
  ["uint", CEL_UINT],
  ["double", CEL_DOUBLE],
  ["string", CEL_STRING],
  ["bytes", CEL_BYTES],
  ["null_type", CEL_NULL],
  ["list", listType(CEL_DYN)],
  ["map", mapType(CEL_DYN, CEL_DYN)],
  ["type", typeType(CEL_DYN)],
  ["google.protobuf.Timestamp", CEL_TIMESTAMP],
  ["google.protobuf.Duration", CEL_DURATION],
  ["optional_type", optionalType(CEL_DYN)],
]);

/** Returns the candidate full names, nearest first. A name with a leading dot has one candidate. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [name.slice(1)];
  if (container === "") return [name];
  const parts = container.split(".");
  return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join(".")}.${name}`), name];
}

/** Resolves a dotted name to a variable, a constant or a type; undefined if it is unknown. */
export function resolveIdent(declarations: Declarations, name: string): IdentDeclaration | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const variable = declarations.variables.get(candidate);
    if (variable !== undefined) return { kind: "variable", name: candidate, type: variable };
    const constant = declarations.provider.findConstant(candidate);
    if (constant !== undefined) return { kind: "constant", ...constant };
    const type = findType(declarations, candidate);
    if (type !== undefined) return { kind: "constant", type: typeType(type), value: new CelTypeValue(type) };
  }
  return undefined;
}

/** Returns the type with this full name. */
function findType(declarations: Declarations, name: string): CelType | undefined {
  return TYPES.get(name) ?? declarations.provider.findType(name);
}

/** Returns the full name and the type of an object literal. */
export function resolveType(
  declarations: Declarations,
  name: string,
): { readonly name: string; readonly type: CelType } | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const type = findType(declarations, candidate);
    if (type !== undefined) return { name: candidate, type };
  }
  return undefined;
}

/** Returns the overloads of a function and its full name. */
export function resolveFunction(
  declarations: Declarations,
  name: string,
): { readonly name: string; readonly overloads: readonly Overload[] } | undefined {
  for (const candidate of candidateNames(declarations.container, name)) {
    const overloads = declarations.functions.get(candidate);
    if (overloads !== undefined) return { name: candidate, overloads };
  }
  return undefined;
}
