import { formatApiVersion } from "@levelset/core/internal";
import type { FieldSet } from "@levelset/core/apply";
import type { JsonObject, Scope } from "@levelset/core";
import type { RuleSet } from "@levelset/core/internal";
import type { ScalePaths, StructuralSchema } from "@levelset/core/schema";
import type { ApiObject } from "../store/index.ts";
import type { FieldLabels } from "./field-labels.ts";
import type { Printer } from "./printer/printer.ts";
import type { VirtualCreate } from "./review.ts";
import type { KindStrategy } from "./strategy.ts";
import type { SubresourceInfo, SubresourceStrategy, Verb, WritableSubresource } from "./subresource-info.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";

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
  /** Defaults, validation and server-managed fields; empty for custom resources. */
  readonly strategy: KindStrategy;
  /** Set if the objects are never stored, as for reviews. */
  readonly virtualCreate: VirtualCreate | undefined;
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
  /** Form of `spec.selector` of a built-in kind with a scale subresource. */
  readonly selectorForm: SelectorForm;
  /** Selectable fields of a custom resource in addition to those of metadata, such as `spec.color`. */
  readonly selectableFields: readonly string[];
  /** All fields that field selectors support. */
  readonly fieldLabels: FieldLabels;
  /** Fields that a status update cannot change. */
  readonly statusResetFields: FieldSet;
  /** Whether `metadata.generation` is maintained. */
  readonly hasGeneration: boolean;
  /** Whether an update without a resourceVersion is allowed. */
  readonly allowUnconditionalUpdate: boolean;
  /** Schema of the whole object. `apiVersion`, `kind` and `metadata` are validated separately. */
  readonly schema: StructuralSchema;
  /** `schema` without `apiVersion`, `kind` and `metadata`. */
  readonly bodySchema: StructuralSchema;
  /** Schema in OpenAPI documents, without `apiVersion`, `kind` and `metadata`. */
  readonly publishedSchema: StructuralSchema;
  /** CEL validation rules of the CustomResourceDefinition; undefined if there are none. */
  readonly validationRules: RuleSet | undefined;
  /** Converts objects to rows of `kubectl get`. */
  readonly printer: Printer;
  /** Fields that Go encodes even if they are empty, with `apiVersion` and `kind`. A manager does not own them. */
  readonly zeroValue: JsonObject;
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

/** Form of a label selector: an object with `matchLabels` and `matchExpressions`, or a map of labels. */
export type SelectorForm = "LabelSelector" | "labels";

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

/** Returns the strategy of a subresource; undefined for status and scale, which use the strategy of the kind. */
export function subresourceStrategyOf(
  resource: Resource,
  subresource: WritableSubresource | undefined,
): SubresourceStrategy | undefined {
  return resource.subresources.find(({ name }) => name === subresource)?.strategy;
}
