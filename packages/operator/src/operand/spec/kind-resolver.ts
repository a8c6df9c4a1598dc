import * as core from "@levelset/core";
import { apiVersionOf, DeclarationError, InputError, kindFromCrd } from "@levelset/core";
import { formatApiVersion } from "@levelset/core/internal";
import type { EmbeddedObject, Kind, Scope } from "@levelset/core";
import type { Discovery } from "../../client/index.ts";
import type { LiveRef } from "./live-ref.ts";

/** Kind of an object of a set. */
export interface ResolvedKind {
  readonly kind: Kind;
  /** True if the cluster serves the kind. A kind whose CRD is in the set may be served later. */
  readonly isServed: boolean;
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

const idOf = ({ apiVersion, kind }: Named): string => `${kind} ${apiVersion}`;

/** Kinds with known fields, so that applied and live objects can be compared. */
const BUILT_IN: ReadonlyMap<string, Kind> = new Map(
  Object.values(core)
    .filter(isKind)
    .map((kind) => [idOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }), kind]),
);

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "plural" in value && "scope" in value && "schema" in value;
}

/**
 * Resolves the kinds of the objects of a set: built-in kinds, kinds of the set's CRDs, and kinds that the cluster
 * serves.
 */
export class KindResolver {
  readonly #kinds: ReadonlyMap<string, ResolvedKind>;

  private constructor(kinds: ReadonlyMap<string, ResolvedKind>) {
    this.#kinds = kinds;
  }

  /** Resolves the kinds of these objects. */
  static async of(
    objects: readonly EmbeddedObject[],
    discovery: Pick<Discovery, "kindOf">,
    signal: AbortSignal,
  ): Promise<KindResolver> {
    const declared = declaredKinds(objects);
    const kinds = new Map<string, ResolvedKind>();
    for (const object of objects) {
      const id = idOf(object);
      if (kinds.has(id)) continue;
      const builtIn = BUILT_IN.get(id);
      if (builtIn !== undefined) {
        kinds.set(id, { kind: builtIn, isServed: true });
        continue;
      }
      const served = await servedKind(object, discovery, signal);
      const own = declared.get(id);
      const kind = own ?? served;
      if (kind !== undefined) kinds.set(id, { kind, isServed: served !== undefined });
    }
    return new KindResolver(kinds);
  }

  /** Returns the kind of an object; undefined if it is unknown. */
  get(object: Named): ResolvedKind | undefined {
    return this.#kinds.get(idOf(object));
  }

  /** Returns the scope of a kind; undefined if it is unknown. */
  readonly scopeOf = (object: Named): Scope | undefined => this.get(object)?.kind.scope;
}

async function servedKind(
  object: Named,
  discovery: Pick<Discovery, "kindOf">,
  signal: AbortSignal,
): Promise<Kind | undefined> {
  try {
    return await discovery.kindOf(object, { signal });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Returns the kinds of the CRDs among these objects, in every served version. */
function declaredKinds(objects: readonly EmbeddedObject[]): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const crd of objects.filter((object) => object.kind === "CustomResourceDefinition")) {
    for (const version of versionsOf(crd)) {
      try {
        const kind = kindFromCrd(crd, { version });
        kinds.set(idOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }), kind);
      } catch (error) {
        // The server validates the CRD; our schema only makes the comparison exact.
        if (!(error instanceof DeclarationError)) throw error;
      }
    }
  }
  return kinds;
}

function versionsOf(crd: EmbeddedObject): readonly string[] {
  const { versions } = (crd["spec"] ?? {}) as { readonly versions?: readonly { readonly name?: unknown }[] };
  return (Array.isArray(versions) ? versions : []).flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/**
 * Resolves the kind of a reference, which has no version: the built-in kind, or the version that the cluster prefers.
 * Returns undefined if the kind is not served.
 */
export async function resolveRefKind(
  ref: Pick<LiveRef, "group" | "kind">,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Kind | undefined> {
  const { group, kind } = ref;
  for (const version of ["v1", "v2"]) {
    const builtIn = BUILT_IN.get(idOf({ apiVersion: formatApiVersion(group, version), kind }));
    if (builtIn !== undefined) return builtIn;
  }
  return discovery.kindInGroup(group, kind, { signal });
}
