import { compileRules, formatApiVersion, kindId } from "@levelset/core";
import type {
  CrdFields,
  CrdVersion,
  Kind,
  KubeObject,
  PrinterColumn,
  RuleSet,
  Scope,
  StructuralSchema,
} from "@levelset/core";
import { structural } from "./crd-schema.ts";

/** One version of one kind, as it is served. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  /** `plural.group`: where the store keeps the objects of all its versions. */
  readonly id: string;
  /** Declared by a CustomResourceDefinition. */
  readonly custom: boolean;
  readonly hasStatus: boolean;
  /** Whether its objects count changes of spec in `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** Whether an update without resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** Of the whole object. `apiVersion`, `kind` and `metadata` follow their own rules besides. */
  readonly schema: StructuralSchema;
  /** `schema` without `apiVersion`, `kind` and `metadata`. */
  readonly bodySchema: StructuralSchema;
  /** The rules in CEL of the declaration; undefined where there are none. */
  readonly rules: RuleSet | undefined;
  /** Columns that the declaration asks for; undefined for built-in kinds and where it asks for none. */
  readonly columns: readonly PrinterColumn[] | undefined;
  /** The version that objects are stored in. */
  readonly storageVersion: string;
  /** Revision of the declaration: objects written before it may lack its defaults. */
  readonly since: number;
}

/** `group/version`, or `version` for the core group. */
export function resourceApiVersion(resource: Pick<Resource, "group" | "version">): string {
  return formatApiVersion(resource.group, resource.version);
}

/** The schema of everything but the type and the metadata. */
export function bodySchemaOf(schema: StructuralSchema): StructuralSchema {
  const { apiVersion: _a, kind: _k, metadata: _m, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** How a built-in kind differs from others beyond its declaration. */
export type BuiltinFacts = Pick<Resource, "unconditionalUpdate" | "hasGeneration" | "categories">;

/** A built-in kind as a resource. */
export function builtinResource(kind: Kind, facts: BuiltinFacts): Resource {
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    plural: kind.plural,
    singular: kind.singular,
    shortNames: kind.shortNames,
    scope: kind.scope,
    id: kindId(kind),
    custom: false,
    hasStatus: kind.hasStatus,
    schema: kind.schema,
    bodySchema: bodySchemaOf(kind.schema),
    rules: undefined,
    columns: undefined,
    storageVersion: kind.version,
    since: 0,
    ...facts,
  };
}

/** A stored CustomResourceDefinition: validated when it was written. */
export type Crd = KubeObject & CrdFields;

/** The resources that a CustomResourceDefinition declares: one per served version. */
export function resourcesOf(crd: Crd): readonly Resource[] {
  const storageVersion = crd.spec.versions.find((version) => version.storage)?.name ?? "";
  return crd.spec.versions
    .filter((version) => version.served)
    .map((version) => customResource(crd, version, storageVersion));
}

function customResource(crd: Crd, version: CrdVersion, storageVersion: string): Resource {
  const { group, names, scope } = crd.spec;
  const schema = structural(version.schema?.openAPIV3Schema);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope,
    id: `${names.plural}.${group}`,
    custom: true,
    hasStatus: version.subresources?.status !== undefined,
    hasGeneration: true,
    unconditionalUpdate: false,
    schema,
    bodySchema: bodySchemaOf(schema),
    rules: compileRules(schema, true).rules,
    columns: (version.additionalPrinterColumns?.length ?? 0) === 0 ? undefined : version.additionalPrinterColumns,
    storageVersion,
    since: Number(crd.metadata.resourceVersion),
  };
}
