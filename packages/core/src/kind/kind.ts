import type { ReadinessRule } from "../readiness-rule/index.ts";
import type { KubeObject, NewMeta } from "../object/index.ts";
import { formatApiVersion } from "../object/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** Whether objects of a kind are namespaced or cluster-scoped. */
export type Scope = "Namespaced" | "Cluster";

/**
 * A kind: its names in the API, and the TypeScript types of objects as read (`Object`) and as written (`New`). Custom
 * kinds are made by `kind()`; built-in kinds are exported by name.
 */
export interface Kind<O extends KubeObject = KubeObject, N extends NewObject = NewObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: Scope;
  /** Whether the kind has a status subresource. */
  readonly hasStatus: boolean;
  /** The schema of an object, without apiVersion, kind and metadata. */
  readonly schema: StructuralSchema;
  /** Readiness of its objects. Absent for kinds that are ready by their conditions, or as soon as they exist. */
  readonly readiness?: ReadinessRule;
  /** Type inference only; never set. */
  readonly Object?: O;
  /** Type inference only; never set. */
  readonly New?: N;
}

/** An object to be written. apiVersion and kind come from its kind. */
export interface NewObject {
  readonly metadata: NewMeta;
}

/** Type of an object of this kind, as read. */
export type ObjectOf<K extends Kind> = NonNullable<K["Object"]>;

/** Type of an object of this kind, to be written. */
export type NewOf<K extends Kind> = NonNullable<K["New"]>;

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(kind: Kind): string {
  return formatApiVersion(kind.group, kind.version);
}

/** Returns the ID of a kind, also used as map key: `simples.examples.levelset.dev`. */
export function kindId(kind: Kind): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}
