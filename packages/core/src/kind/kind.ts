import type { KubeObject, NewMeta } from "../object/index.ts";
import { formatApiVersion } from "../object/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** Whether objects of a kind live in a namespace or beside all of them. */
export type Scope = "Namespaced" | "Cluster";

/**
 * A kind of object: how it is named in the API, and, for TypeScript, what a reader of one sees (`Object`) and what a writer
 * gives (`New`). Made by `kind()` for kinds of your own; built-in ones are exported by name.
 */
export interface Kind<O extends KubeObject = KubeObject, N extends NewObject = NewObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: Scope;
  /** Whether status is written through a subresource of its own. */
  readonly hasStatus: boolean;
  /** The schema of a whole object, without apiVersion, kind and metadata. */
  readonly schema: StructuralSchema;
  /** Only for inference; never set. */
  readonly Object?: O;
  /** Only for inference; never set. */
  readonly New?: N;
}

/** An object about to be written. apiVersion and kind come from its kind. */
export interface NewObject {
  readonly metadata: NewMeta;
}

/** What a reader of this kind's objects sees. */
export type ObjectOf<K extends Kind> = NonNullable<K["Object"]>;

/** What a writer of this kind's objects gives. */
export type NewOf<K extends Kind> = NonNullable<K["New"]>;

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(kind: Kind): string {
  return formatApiVersion(kind.group, kind.version);
}

/** Names a kind for people and as a map key: `simples.examples.levelset.dev`. */
export function kindId(kind: Kind): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}
