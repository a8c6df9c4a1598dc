import type { Condition } from "../condition/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { AnyCustomKind } from "./custom-kind.ts";
import type { PrinterColumn } from "./printer-columns.ts";
import { DeclarationError } from "../error/index.ts";
import { kindId } from "./kind.ts";
import type { NewObject, Scope } from "./kind.ts";
import type { ScalePaths } from "./subresource.ts";

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) to be written. */
export interface NewCrd extends NewObject {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string };
  readonly spec: CrdSpec;
}

/** The spec of a CustomResourceDefinition. */
export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: Scope;
  readonly versions: readonly CrdVersion[];
  /** How objects are converted between versions. Default: only the apiVersion changes. */
  readonly conversion?: { readonly strategy: "None" | "Webhook" };
}

/** The names of a custom kind in paths, YAML and kubectl. */
export interface CrdNames {
  readonly kind: string;
  readonly listKind?: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A version of a custom kind. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: Readonly<Record<string, never>>; readonly scale?: ScalePaths };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

/** Options of {@link crdOf}. */
export interface CrdOptions {
  /** Other versions of the same kind to serve. Objects are stored in the version of the first argument. */
  readonly alsoServed?: readonly AnyCustomKind[];
}

/**
 * Returns the CustomResourceDefinition of a custom kind, ready to be applied or written as YAML. Throws a
 * DeclarationError if the versions do not belong to one kind.
 */
export function crdOf(kind: AnyCustomKind, options: CrdOptions = {}): NewCrd {
  const others = options.alsoServed ?? [];
  for (const other of others) checkSameKind(kind, other, others);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: kindId(kind) },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
        ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
      },
      scope: kind.scope,
      versions: [crdVersion(kind, true), ...others.map((other) => crdVersion(other, false))],
    },
  };
}

function crdVersion(kind: AnyCustomKind, storage: boolean): CrdVersion {
  const openAPIV3Schema: StructuralSchema = {
    ...kind.schema,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...kind.schema.properties,
    },
  };
  return {
    name: kind.version,
    served: true,
    storage,
    schema: { openAPIV3Schema },
    subresources: { status: {}, ...(kind.scale === undefined ? {} : { scale: kind.scale }) },
    additionalPrinterColumns: kind.columns,
    ...(kind.selectableFields.length === 0
      ? {}
      : { selectableFields: kind.selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function checkSameKind(kind: AnyCustomKind, other: AnyCustomKind, others: readonly AnyCustomKind[]): void {
  for (const field of ["group", "kind", "plural", "scope"] as const) {
    if (kind[field] !== other[field]) {
      throw new DeclarationError(
        `${kind.kind}: ${other.version} is a version of another kind: ${field} is ${other[field]}, not ${kind[field]}`,
      );
    }
  }
  if ([kind, ...others].filter(({ version }) => version === other.version).length > 1) {
    throw new DeclarationError(`${kind.kind}: version ${other.version} is declared twice`);
  }
}

/** The fields of a CustomResourceDefinition. */
export interface CrdFields {
  readonly spec: CrdSpec;
  readonly status?: {
    readonly conditions?: readonly Pick<Condition, "type" | "status" | "reason" | "message">[];
    readonly acceptedNames?: CrdNames;
    readonly storedVersions?: readonly string[];
  };
}
