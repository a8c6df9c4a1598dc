import { apiVersionOf, ConfigMap, InputError, isAlreadyExists, Namespace, Secret } from "@levelset/core";
import type { AnyCustomKind, Kind, NewMeta } from "@levelset/core";
import type { Client } from "@levelset/operator";
import { parseDocuments, readText } from "./documents.ts";

/** An object that was read from a file, with its kind found. */
export interface Manifest {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly object: Readonly<Record<string, unknown>> & { readonly metadata: NewMeta };
}

/** Reads the objects of a YAML file, of kinds that we know: the operators' own and a few built-in ones. */
export async function readManifests(
  file: string,
  options: { readonly cwd: string; readonly kinds: readonly AnyCustomKind[]; readonly namespace: string },
): Promise<readonly Manifest[]> {
  const known: readonly Kind[] = [...options.kinds, Namespace, ConfigMap, Secret];
  const documents = parseDocuments(await readText(file, options), file);
  return documents.map(({ document, at }) => readManifest(document, at, known, options.namespace));
}

function readManifest(document: unknown, place: string, known: readonly Kind[], namespace: string): Manifest {
  if (typeof document !== "object" || document === null) throw new InputError(`${place}: not an object`);
  const object: Readonly<Record<string, unknown>> = { ...document };
  const { apiVersion, kind: kindName, metadata } = object;
  const kind = known.find((candidate) => candidate.kind === kindName && apiVersionOf(candidate) === apiVersion);
  if (kind === undefined) throw new InputError(`${place}: unknown kind ${String(kindName)} of ${String(apiVersion)}`);
  const meta: Readonly<Record<string, unknown>> = typeof metadata === "object" ? { ...metadata } : {};
  if (typeof meta["name"] !== "string") throw new InputError(`${place}: metadata.name is missing`);
  const own = typeof meta["namespace"] === "string" ? meta["namespace"] : namespace;
  const scoped = kind.scope === "Namespaced" ? { ...meta, namespace: own } : meta;
  return {
    kind,
    name: meta["name"],
    namespace: kind.scope === "Namespaced" ? own : undefined,
    object: { ...object, metadata: scoped },
  };
}

/** Creates the object, or merges it into the one that is there. */
export async function applyManifest(client: Client, manifest: Manifest, signal: AbortSignal): Promise<void> {
  const { kind, name, namespace, object } = manifest;
  try {
    await client.create(kind, object, { signal, fieldValidation: "Strict" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const key = namespace === undefined ? { name } : { namespace, name };
    await client.mergePatch(kind, key, object, { signal, fieldValidation: "Strict" });
  }
}
