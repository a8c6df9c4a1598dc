import { compileRules, formatApiVersion, kindId } from "@levelset/core";
import type {
  CrdFields,
  CrdVersion,
  Kind,
  KubeObject,
  PrinterColumn,
  RuleSet,
  ScalePaths,
  Scope,
  StructuralSchema,
} from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { toStructuralSchema } from "./crd-schema.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";
import {
  ALL_VERBS,
  CUSTOM_VERBS,
  wholeObjectSubresource,
  BUILTIN_SUBRESOURCES,
  SCALE_SUBRESOURCE,
} from "./subresource/subresource-info.ts";
import type { SubresourceInfo, Verb } from "./subresource/subresource-info.ts";

/** One served version of one kind. */
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
  /** `plural.group`: the resource name in the store, shared by all versions. */
  readonly id: string;
  /** `plural.group`: selects the strategy. Differs from `id` for aliases. */
  readonly strategyId: string;
  /** Set if the objects are stored as those of another resource. */
  readonly alias: Alias | undefined;
  /** Declared by a CustomResourceDefinition. */
  readonly isCustom: boolean;
  readonly hasStatus: boolean;
  /** Supported verbs. */
  readonly verbs: readonly Verb[];
  /** Subresources, sorted by name. */
  readonly subresources: readonly SubresourceInfo[];
  /** Paths of the scale subresource of a custom resource. */
  readonly scale: ScalePaths | undefined;
  /** Selectable fields of a custom resource in addition to those of metadata, such as `spec.color`. */
  readonly selectableFields: readonly string[];
  /** Whether `metadata.generation` is maintained. */
  readonly hasGeneration: boolean;
  /** Whether an update without a resourceVersion is allowed. */
  readonly allowUnconditionalUpdate: boolean;
  /** Schema of the whole object. `apiVersion`, `kind` and `metadata` are validated separately. */
  readonly schema: StructuralSchema;
  /** `schema` without `apiVersion`, `kind` and `metadata`. */
  readonly bodySchema: StructuralSchema;
  /** CEL validation rules of the CustomResourceDefinition; undefined if there are none. */
  readonly validationRules: RuleSet | undefined;
  /** Additional printer columns; undefined for built-in kinds and if there are none. */
  readonly columns: readonly PrinterColumn[] | undefined;
  /** The storage version. */
  readonly storageVersion: string;
  /** apiVersion → `bodySchema`, for all versions of a custom resource, served or not. */
  readonly versions: ReadonlyMap<string, StructuralSchema>;
  /** Conversion strategy. Webhooks are not called, so such objects are available only in the storage version. */
  readonly conversion: "None" | "Webhook";
  /** Warning sent with every response if the version is deprecated. */
  readonly deprecation: string | undefined;
  /** Revision of the CustomResourceDefinition. Objects with an older revision may lack its defaults. */
  readonly changedAtRevision: number;
}

/**
 * A resource that is stored as another one: events of events.k8s.io are events of the core group with renamed fields.
 * Writes are validated and stored in the form of `storageResource`.
 */
export interface Alias {
  readonly storageResource: Resource;
  toStorage(draft: UnvalidatedObject): UnvalidatedObject;
  fromStorage(object: ApiObject): ApiObject;
}

/** `group/version`, or `version` for the core group. */
export function resourceApiVersion(resource: Pick<Resource, "group" | "version">): string {
  return formatApiVersion(resource.group, resource.version);
}

/** Returns the schema without `apiVersion`, `kind` and `metadata`. */
export function bodySchemaOf(schema: StructuralSchema): StructuralSchema {
  const { apiVersion: _a, kind: _k, metadata: _m, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** Options of a built-in resource. */
export type BuiltinResourceOptions = Pick<Resource, "allowUnconditionalUpdate" | "hasGeneration" | "categories"> &
  Partial<Pick<Resource, "deprecation">>;

/** Returns the resource of a built-in kind. */
export function builtinResource(kind: Kind, facts: BuiltinResourceOptions): Resource {
  const id = kindId(kind);
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    plural: kind.plural,
    singular: kind.singular,
    shortNames: kind.shortNames,
    scope: kind.scope,
    id,
    strategyId: id,
    alias: undefined,
    isCustom: false,
    hasStatus: kind.hasStatus,
    verbs: id === "namespaces" ? ALL_VERBS.filter((verb) => verb !== "deletecollection") : ALL_VERBS,
    subresources: byName([
      ...(kind.hasStatus ? [wholeObjectSubresource(kind.kind, "status")] : []),
      ...(BUILTIN_SUBRESOURCES[id] ?? []),
    ]),
    scale: undefined,
    selectableFields: [],
    schema: kind.schema,
    bodySchema: bodySchemaOf(kind.schema),
    validationRules: undefined,
    columns: undefined,
    storageVersion: kind.version,
    versions: new Map(),
    conversion: "None",
    deprecation: undefined,
    changedAtRevision: 0,
    ...facts,
  };
}

function byName(parts: readonly SubresourceInfo[]): readonly SubresourceInfo[] {
  return parts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A stored CustomResourceDefinition. Validated when it was written. */
export type Crd = KubeObject & CrdFields;

/** Returns the resources of a CustomResourceDefinition, one per served version. */
export function resourcesOf(crd: Crd): readonly Resource[] {
  const { group, versions } = crd.spec;
  const schemas = new Map(
    versions.map(({ name, schema }) => [
      formatApiVersion(group, name),
      bodySchemaOf(toStructuralSchema(schema?.openAPIV3Schema)),
    ]),
  );
  return versions.filter((version) => version.served).map((version) => customResource(crd, version, schemas));
}

function customResource(crd: Crd, version: CrdVersion, versions: Resource["versions"]): Resource {
  const { group, names, scope } = crd.spec;
  const schema = toStructuralSchema(version.schema?.openAPIV3Schema);
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
    strategyId: `${names.plural}.${group}`,
    alias: undefined,
    isCustom: true,
    hasStatus: version.subresources?.status !== undefined,
    verbs: CUSTOM_VERBS,
    subresources: [
      ...(version.subresources?.scale === undefined ? [] : [SCALE_SUBRESOURCE]),
      ...(version.subresources?.status === undefined ? [] : [wholeObjectSubresource(names.kind, "status")]),
    ],
    scale: version.subresources?.scale,
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./u, "")),
    hasGeneration: true,
    allowUnconditionalUpdate: false,
    schema,
    bodySchema: bodySchemaOf(schema),
    validationRules: compileRules(schema, true).rules,
    columns: (version.additionalPrinterColumns?.length ?? 0) === 0 ? undefined : version.additionalPrinterColumns,
    storageVersion: crd.spec.versions.find(({ storage }) => storage)?.name ?? "",
    versions,
    conversion: crd.spec.conversion?.strategy === "Webhook" ? "Webhook" : "None",
    deprecation:
      version.deprecated === true
        ? (version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`)
        : undefined,
    changedAtRevision: Number(crd.metadata.resourceVersion),
  };
}
