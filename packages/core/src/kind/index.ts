/** Kinds: their declaration, their CRD, and the impact of changes to it. Begin with `kind.ts`. */

export { builtIn } from "./built-in.ts";
export type { BuiltInDeclaration, BuiltInKind } from "./built-in.ts";
export type { ColumnDeclaration, PrinterColumn } from "./printer-columns.ts";
export { crdOf } from "./crd.ts";
export type { CrdFields, CrdNames, CrdOptions, CrdSpec, CrdVersion, NewCrd } from "./crd.ts";
export { kind } from "./custom-kind.ts";
export type {
  AnyCustomKind,
  CustomKind,
  CustomObject,
  EngineStatus,
  KindDeclaration,
  NewCustomObject,
  SpecOf,
  StatusOf,
} from "./custom-kind.ts";
export { apiVersionOf, kindId } from "./kind.ts";
export type { Kind, NewObject, NewOf, ObjectOf, Scope } from "./kind.ts";
export type { ScalePaths } from "./subresource.ts";
export { kindFromCrd } from "./from-crd.ts";
export type { KindFromCrdOptions } from "./from-crd.ts";
export type { ChangeSeverity, CrdChange } from "./crd-change.ts";
export { diffCrds } from "./crd-diff.ts";
export type { CrdDiffOptions } from "./crd-diff.ts";
export { conversion, convertObject } from "./conversion.ts";
export type { Conversion, ConversionFunctions, VersionedFields, VersionedFieldsOf } from "./conversion.ts";
