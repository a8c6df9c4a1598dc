import type { KubeObject } from "../object/index.ts";
import type { ReadinessRule } from "../readiness-rule/index.ts";
import { s } from "../schema/index.ts";
import type { SchemaFields, ObjectIn, ObjectOut } from "../schema/index.ts";
import type { Kind, NewObject, Scope } from "./kind.ts";
import { pluralOf } from "./kind-names.ts";

/** A built-in kind, with the types of its objects inferred from its fields. */
export type BuiltInKind<F extends SchemaFields> = Kind<KubeObject & ObjectOut<F>, NewObject & ObjectIn<F>>;

/** The declaration of a built-in kind: the fields of an object besides apiVersion, kind and metadata. */
export interface BuiltInDeclaration<F extends SchemaFields> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Description of the kind. */
  readonly description: string;
  /** Default: the English plural of the kind, in lower case. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Default: Namespaced. */
  readonly scope?: Scope;
  readonly fields: F;
  /** Default: by the conventional conditions, as for custom resources. */
  readonly readiness?: ReadinessRule;
}

/** Declares a built-in kind with the same schema builders as custom kinds. */
export function builtIn<const F extends SchemaFields>(declaration: BuiltInDeclaration<F>): BuiltInKind<F> {
  const { group, version, kind, description, fields } = declaration;
  return {
    group,
    version,
    kind,
    plural: declaration.plural ?? pluralOf(kind),
    singular: kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    scope: declaration.scope ?? "Namespaced",
    hasStatus: Object.hasOwn(fields, "status"),
    schema: { ...s.object(fields).structural, description },
    ...(declaration.readiness === undefined ? {} : { readiness: declaration.readiness }),
  };
}
