import * as core from "@levelset/core";
import { apiVersionOf, DeclarationError, formatApiVersion, InputError, kindFromCrd } from "@levelset/core";
import type { EmbeddedObject, Kind, Scope } from "@levelset/core";
import type { Discovery } from "../client/index.ts";
import type { LiveRef } from "./live-ref.ts";

/** A kind of an object of a set. */
export interface SetKind {
  readonly kind: Kind;
  /** Whether the cluster has it; one whose CRD is in the set may be still to come. */
  readonly isServed: boolean;
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

const idOf = ({ apiVersion, kind }: Named): string => `${kind} ${apiVersion}`;

/** The kinds whose fields are known beforehand, so that what is applied can be compared with what is there. */
const BUILT_IN: ReadonlyMap<string, Kind> = new Map(
  Object.values(core)
    .filter(isKind)
    .map((kind) => [idOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }), kind]),
);

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "plural" in value && "scope" in value && "schema" in value;
}

/** The kinds of the objects of a set: built-in ones, those that its CRDs declare, and whatever else the cluster serves. */
export class SetKinds {
  readonly #kinds: ReadonlyMap<string, SetKind>;

  private constructor(kinds: ReadonlyMap<string, SetKind>) {
    this.#kinds = kinds;
  }

  /** Looks up the kinds of these objects. */
  static async of(
    objects: readonly EmbeddedObject[],
    discovery: Pick<Discovery, "kindOf">,
    signal: AbortSignal,
  ): Promise<SetKinds> {
    const declared = declaredKinds(objects);
    const kinds = new Map<string, SetKind>();
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
    return new SetKinds(kinds);
  }

  /** The kind of an object; undefined when nobody knows it. */
  get(object: Named): SetKind | undefined {
    return this.#kinds.get(idOf(object));
  }

  /** Where objects of a kind live, as far as that is known. */
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

/** What the CRDs among these objects declare, in every version that they serve. */
function declaredKinds(objects: readonly EmbeddedObject[]): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const crd of objects.filter((object) => object.kind === "CustomResourceDefinition")) {
    for (const version of versionsOf(crd)) {
      try {
        const kind = kindFromCrd(crd, { version });
        kinds.set(idOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }), kind);
      } catch (error) {
        // The server judges the CRD itself; ours would only have made comparing exact.
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

/** The kind of a reference, which has no version: built-in, or in the version that the cluster prefers. Undefined when it serves none. */
export async function kindOfRef(
  ref: Pick<LiveRef, "group" | "kind">,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Kind | undefined> {
  const { group, kind } = ref;
  for (const version of ["v1", "v2"]) {
    const builtIn = BUILT_IN.get(idOf({ apiVersion: formatApiVersion(group, version), kind }));
    if (builtIn !== undefined) return builtIn;
  }
  return discovery.kindIn(group, kind, { signal });
}
