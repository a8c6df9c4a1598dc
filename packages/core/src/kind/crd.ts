import type { StructuralSchema } from "../schema/index.ts";
import type { AnyCustomKind } from "./custom.ts";
import type { PrinterColumn } from "./columns.ts";
import { kindId } from "./kind.ts";
import type { NewObject, Scope } from "./kind.ts";

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
  readonly subresources?: { readonly status?: Readonly<Record<string, never>> };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

/** The CustomResourceDefinition of a declared kind, ready to be applied or written as YAML. */
export function crdOf(kind: AnyCustomKind): NewCrd {
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
      },
      scope: kind.scope,
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: kind.columns,
        },
      ],
    },
  };
}
