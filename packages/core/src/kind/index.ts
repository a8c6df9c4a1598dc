export { ConfigMap, CustomResourceDefinition, Namespace, Secret } from "./builtin.ts";
export type { ConfigMapFields, CrdFields, NamespaceFields, SecretFields } from "./builtin.ts";
export { printerColumns } from "./columns.ts";
export type { PrinterColumn } from "./columns.ts";
export { crdOf } from "./crd.ts";
export type { CrdNames, CrdSpec, CrdVersion, NewCrd } from "./crd.ts";
export { kind } from "./custom.ts";
export type {
  AnyCustomKind,
  CustomKind,
  CustomObject,
  EngineStatus,
  KindDeclaration,
  NewCustomObject,
  SpecOf,
  StatusOf,
} from "./custom.ts";
export { engineStatus } from "./engine-status.ts";
export { apiVersionOf, kindId } from "./kind.ts";
export type { Kind, NewObject, NewOf, ObjectOf, Scope } from "./kind.ts";
export { pluralOf } from "./names.ts";
