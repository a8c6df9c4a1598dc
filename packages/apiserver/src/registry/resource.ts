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
import { structural } from "./crd-schema.ts";
import type { Draft } from "./draft.ts";
import { ALL_VERBS, CUSTOM_VERBS, partOf, PARTS, SCALE } from "./subresource/facts.ts";
import type { SubresourceFacts, Verb } from "./subresource/facts.ts";

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
  /** `plural.group`: what its rules go by. Differs from `id` where its objects are kept as those of another resource. */
  readonly ruledAs: string;
  /** Set where its objects are kept as those of another resource. */
  readonly alias: Alias | undefined;
  /** Declared by a CustomResourceDefinition. */
  readonly custom: boolean;
  readonly hasStatus: boolean;
  /** What may be done to its objects and collections. */
  readonly verbs: readonly Verb[];
  /** The parts of its objects that have a path of their own, by name. */
  readonly subresources: readonly SubresourceFacts[];
  /** Where a declared kind that can be scaled keeps its numbers. */
  readonly scale: ScalePaths | undefined;
  /** Fields of a declared kind that selectors may name besides those of metadata, such as `spec.color`. */
  readonly selectableFields: readonly string[];
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
  /** `bodySchema` of every version of a declared kind, served or not, by apiVersion. */
  readonly versions: ReadonlyMap<string, StructuralSchema>;
  /** How objects get from one version to another. Webhooks are not called: such objects can only be had as they are stored. */
  readonly conversion: "None" | "Webhook";
  /** What users of the version are told with every answer, where it is deprecated. */
  readonly deprecation: string | undefined;
  /** Revision of the declaration: objects written before it may lack its defaults. */
  readonly since: number;
}

/**
 * How a resource is kept as objects of another one: events of events.k8s.io are those of the core group with some fields renamed.
 * Writes are checked and stored in the form of `home`.
 */
export interface Alias {
  readonly home: Resource;
  toHome(draft: Draft): Draft;
  fromHome(object: ApiObject): ApiObject;
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
export type BuiltinFacts = Pick<Resource, "unconditionalUpdate" | "hasGeneration" | "categories"> &
  Partial<Pick<Resource, "deprecation">>;

/** A built-in kind as a resource. */
export function builtinResource(kind: Kind, facts: BuiltinFacts): Resource {
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
    ruledAs: id,
    alias: undefined,
    custom: false,
    hasStatus: kind.hasStatus,
    verbs: id === "namespaces" ? ALL_VERBS.filter((verb) => verb !== "deletecollection") : ALL_VERBS,
    subresources: byName([...(kind.hasStatus ? [partOf(kind.kind, "status")] : []), ...(PARTS[id] ?? [])]),
    scale: undefined,
    selectableFields: [],
    schema: kind.schema,
    bodySchema: bodySchemaOf(kind.schema),
    rules: undefined,
    columns: undefined,
    storageVersion: kind.version,
    versions: new Map(),
    conversion: "None",
    deprecation: undefined,
    since: 0,
    ...facts,
  };
}

function byName(parts: readonly SubresourceFacts[]): readonly SubresourceFacts[] {
  return parts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A stored CustomResourceDefinition: validated when it was written. */
export type Crd = KubeObject & CrdFields;

/** The resources that a CustomResourceDefinition declares: one per served version. */
export function resourcesOf(crd: Crd): readonly Resource[] {
  const { group, versions } = crd.spec;
  const schemas = new Map(
    versions.map(({ name, schema }) => [
      formatApiVersion(group, name),
      bodySchemaOf(structural(schema?.openAPIV3Schema)),
    ]),
  );
  return versions.filter((version) => version.served).map((version) => customResource(crd, version, schemas));
}

function customResource(crd: Crd, version: CrdVersion, versions: Resource["versions"]): Resource {
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
    ruledAs: `${names.plural}.${group}`,
    alias: undefined,
    custom: true,
    hasStatus: version.subresources?.status !== undefined,
    verbs: CUSTOM_VERBS,
    subresources: [
      ...(version.subresources?.scale === undefined ? [] : [SCALE]),
      ...(version.subresources?.status === undefined ? [] : [partOf(names.kind, "status")]),
    ],
    scale: version.subresources?.scale,
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./u, "")),
    hasGeneration: true,
    unconditionalUpdate: false,
    schema,
    bodySchema: bodySchemaOf(schema),
    rules: compileRules(schema, true).rules,
    columns: (version.additionalPrinterColumns?.length ?? 0) === 0 ? undefined : version.additionalPrinterColumns,
    storageVersion: crd.spec.versions.find(({ storage }) => storage)?.name ?? "",
    versions,
    conversion: crd.spec.conversion?.strategy === "Webhook" ? "Webhook" : "None",
    deprecation:
      version.deprecated === true
        ? (version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`)
        : undefined,
    since: Number(crd.metadata.resourceVersion),
  };
}
