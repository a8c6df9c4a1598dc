import { FieldSet } from "@levelset/core/apply";
import { formatApiVersion } from "@levelset/core/internal";
import { kindId } from "@levelset/core";
import type { Kind } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { API_TYPES, kindTypeName, zeroValueOf } from "../api-types/index.ts";
import { METADATA_LABELS } from "./field-labels.ts";
import type { FieldLabels } from "./field-labels.ts";
import { DEFAULT_PRINTER } from "./printer/printer.ts";
import type { Printer } from "./printer/printer.ts";
import { bodySchemaOf } from "./resource.ts";
import type { Alias, Resource, SelectorForm } from "./resource.ts";
import type { VirtualCreate } from "./review.ts";
import type { KindStrategy } from "./strategy.ts";
import { ALL_VERBS, wholeObjectSubresource } from "./subresource-info.ts";
import type { SubresourceInfo, Verb } from "./subresource-info.ts";

/** All that the server adds to the declaration of a built-in kind. Every field but `kind` has a default. */
export interface BuiltinKind {
  /** The declaration: names, scope and schema. */
  readonly kind: Kind;
  /** Default: no categories. `all` is the category of `kubectl get all`. */
  readonly categories?: readonly string[];
  /** Default: all verbs; `create` only if `virtualCreate` is set. */
  readonly verbs?: readonly Verb[];
  /** Subresources other than `status`. */
  readonly subresources?: readonly SubresourceInfo[];
  /** Form of `spec.selector` of a kind with a scale subresource. Default: `LabelSelector`. */
  readonly selectorForm?: SelectorForm;
  /** Schema in OpenAPI documents, without `apiVersion`, `kind` and `metadata`. Default: that of the declaration. */
  readonly publishedSchema?: StructuralSchema;
  /** Whether `metadata.generation` is maintained. */
  readonly hasGeneration?: true;
  /** Set if an update must contain a resourceVersion. */
  readonly allowUnconditionalUpdate?: false;
  /** Warning sent with every response. */
  readonly deprecation?: string;
  readonly strategy?: KindStrategy;
  /** Set if the objects are never stored, as for reviews. */
  readonly virtualCreate?: VirtualCreate;
  /** Default: name and creation time, as in `pkg/printers/internalversion/printers.go` (Kubernetes 1.36). */
  readonly printer?: Printer;
  /** Default: name and namespace. */
  readonly fieldLabels?: FieldLabels;
  /** Default: the spec. */
  readonly statusResetFields?: FieldSet;
  /** Set if the objects are stored as those of another resource. */
  readonly alias?: Alias;
}

const SPEC: FieldSet = FieldSet.of(["f:spec"]);

/** Returns the resource of a built-in kind. */
export function builtinResource(builtin: BuiltinKind): Resource {
  const { kind, virtualCreate, subresources = [], alias } = builtin;
  const { verbs = virtualCreate === undefined ? ALL_VERBS : (["create"] as const) } = builtin;
  const { group, version, schema } = kind;
  const bodySchema = bodySchemaOf(schema);
  const isStored = verbs.includes("get");
  const hasStatus = kind.hasStatus && isStored;
  return {
    group,
    version,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    plural: kind.plural,
    singular: kind.singular,
    shortNames: kind.shortNames,
    categories: builtin.categories ?? [],
    scope: kind.scope,
    id: alias?.storageResource.id ?? kindId(kind),
    strategy: builtin.strategy ?? {},
    virtualCreate,
    alias,
    isCustom: false,
    hasStatus,
    verbs,
    subresources: [...(hasStatus ? [wholeObjectSubresource("status")] : []), ...subresources].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
    scale: undefined,
    selectorForm: builtin.selectorForm ?? "LabelSelector",
    selectableFields: [],
    fieldLabels: builtin.fieldLabels ?? METADATA_LABELS,
    statusResetFields: builtin.statusResetFields ?? SPEC,
    hasGeneration: builtin.hasGeneration ?? false,
    allowUnconditionalUpdate: builtin.allowUnconditionalUpdate ?? true,
    schema,
    bodySchema,
    publishedSchema: builtin.publishedSchema ?? bodySchema,
    validationRules: undefined,
    printer: builtin.printer ?? DEFAULT_PRINTER,
    zeroValue: {
      apiVersion: formatApiVersion(group, version),
      kind: kind.kind,
      metadata: {},
      ...zeroValueOf(API_TYPES, kindTypeName(kind)),
    },
    storageVersion: version,
    versions: new Map(),
    conversion: "None",
    deprecation: builtin.deprecation,
    changedAtRevision: 0,
  };
}
