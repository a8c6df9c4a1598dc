import type { Condition } from "../condition/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { AnyCustomKind } from "./custom.ts";
import type { PrinterColumn } from "./columns.ts";
import { DeclarationError } from "../error/index.ts";
import { kindId } from "./kind.ts";
import type { NewObject, Scope } from "./kind.ts";
import type { ScalePaths } from "./subresource.ts";

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) as a writer gives it. */
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
  /** How objects get from one version to another. Default: only their apiVersion changes. */
  readonly conversion?: { readonly strategy: "None" | "Webhook" };
}

/** How a declared kind is called in paths, YAML and by kubectl. */
export interface CrdNames {
  readonly kind: string;
  readonly listKind?: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** One version of a declared kind. */
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

/** What `crdOf` may be told besides the kind. */
export interface CrdOptions {
  /** Other versions of the same kind that are served too; objects are stored in the version of the first argument. */
  readonly alsoServed?: readonly AnyCustomKind[];
}

/** The CustomResourceDefinition of a declared kind, ready to be applied or written as YAML. */
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
    ...(kind.selectable.length === 0 ? {} : { selectableFields: kind.selectable.map((jsonPath) => ({ jsonPath })) }),
  };
}

function checkSameKind(kind: AnyCustomKind, other: AnyCustomKind, others: readonly AnyCustomKind[]): void {
  for (const field of ["group", "kind", "plural", "scope"] as const) {
    if (kind[field] !== other[field]) {
      throw new DeclarationError(
        `${kind.kind}: ${other.version} is another kind: its ${field} is ${other[field]}, not ${kind[field]}`,
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
