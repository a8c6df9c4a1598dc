import type { KubeObject } from "../object/index.ts";
import { s } from "../schema/index.ts";
import type { Fields, ObjectIn, ObjectOut } from "../schema/index.ts";
import type { Kind, NewObject, Scope } from "./kind.ts";
import { pluralOf } from "./names.ts";

/** A kind that every cluster has, with the types of its objects taken from its fields. */
export type BuiltInKind<F extends Fields> = Kind<KubeObject & ObjectOut<F>, NewObject & ObjectIn<F>>;

/** What `builtIn` takes: the fields of an object beside apiVersion, kind and metadata. */
export interface BuiltInDeclaration<F extends Fields> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** What it is, for people. */
  readonly description: string;
  /** Default: the kind in lower case, made plural. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Default: Namespaced. */
  readonly scope?: Scope;
  readonly fields: F;
}

/** Declares a kind that clusters bring along, as facts in the same language as kinds of one's own. */
export function builtIn<const F extends Fields>(declaration: BuiltInDeclaration<F>): BuiltInKind<F> {
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
  };
}
