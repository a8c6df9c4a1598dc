import { Type_PrimitiveType, Type_WellKnownType } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import type { Decl, Type } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
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
  listType,
  mapType,
  opaqueType,
  parameterType,
  structType,
  typeType,
  wrapperType,
} from "../../../packages/core/src/cel/value/index.ts";
import type { CelLibrary, CelTypeProvider, Overload } from "../../../packages/core/src/cel/index.ts";
import type { CelType, CelValue } from "../../../packages/core/src/cel/value/index.ts";

const PRIMITIVES: ReadonlyMap<Type_PrimitiveType, CelType> = new Map([
  [Type_PrimitiveType.BOOL, CEL_BOOL],
  [Type_PrimitiveType.INT64, CEL_INT],
  [Type_PrimitiveType.UINT64, CEL_UINT],
  [Type_PrimitiveType.DOUBLE, CEL_DOUBLE],
  [Type_PrimitiveType.STRING, CEL_STRING],
  [Type_PrimitiveType.BYTES, CEL_BYTES],
]);

/** Converts a type of the suite. */
export function toCelType(type: Type | undefined, types: CelTypeProvider): CelType {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case "null":
      return CEL_NULL;
    case "primitive":
      return PRIMITIVES.get(kind.value) ?? CEL_DYN;
    case "wrapper":
      return wrapperType(PRIMITIVES.get(kind.value) ?? CEL_DYN);
    case "wellKnown":
      if (kind.value === Type_WellKnownType.TIMESTAMP) return CEL_TIMESTAMP;
      return kind.value === Type_WellKnownType.DURATION ? CEL_DURATION : CEL_DYN;
    case "listType":
      return listType(toCelType(kind.value.elemType, types));
    case "mapType":
      return mapType(toCelType(kind.value.keyType, types), toCelType(kind.value.valueType, types));
    case "messageType":
      return types.findType(kind.value) ?? structType(kind.value);
    case "typeParam":
      return parameterType(kind.value);
    case "type":
      return typeType(toCelType(kind.value, types));
    case "abstractType":
      return opaqueType(kind.value.name, ...kind.value.parameterTypes.map((each) => toCelType(each, types)));
    default:
      return CEL_DYN;
  }
}

/** Returns the variables declared by a case. */
export function toCelVariables(decls: readonly Decl[], types: CelTypeProvider): ReadonlyMap<string, CelType> {
  return new Map(
    decls.flatMap(({ name, declKind }): [string, CelType][] =>
      declKind.case === "ident" ? [[name, toCelType(declKind.value.type, types)]] : [],
    ),
  );
}

const isAny = (value: CelValue): value is CelValue => value !== undefined;

/** Returns the functions declared by a case. They have no implementation, because such cases are only type-checked. */
export function toCelFunctions(decls: readonly Decl[], types: CelTypeProvider): CelLibrary {
  const functions = decls.flatMap(({ name, declKind }): [string, readonly Overload[]][] => {
    if (declKind.case !== "function") return [];
    const overloads = declKind.value.overloads.map(
      ({ overloadId, isInstanceFunction, params, resultType }): Overload => {
        const parameters = params.map((type) => ({ type: toCelType(type, types), admits: isAny }));
        return {
          id: overloadId,
          isMember: isInstanceFunction,
          parameters,
          result: toCelType(resultType, types),
          cost: "one",
          call: undefined,
          specialize: undefined,
        };
      },
    );
    return [[name, overloads]];
  });
  return { name: "declared", functions };
}
