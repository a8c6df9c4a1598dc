import { apiVersionOf, ConfigMap, InputError, isAlreadyExists, Namespace, Secret } from "@levelset/core";
import type { AnyCustomKind, Kind, NewMeta } from "@levelset/core";
import type { Client } from "@levelset/operator";
import { parseDocuments, readText } from "../yaml/index.ts";

/** An object read from a file, with its resolved kind. */
export interface FileManifest {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly object: Readonly<Record<string, unknown>> & { readonly metadata: NewMeta };
}

/** Reads the objects of a YAML file. Supports the kinds of the operators and some built-in kinds. */
export async function readManifests(
  file: string,
  options: { readonly cwd: string; readonly kinds: readonly AnyCustomKind[]; readonly namespace: string },
): Promise<readonly FileManifest[]> {
  const known: readonly Kind[] = [...options.kinds, Namespace, ConfigMap, Secret];
  const documents = parseDocuments(await readText(file, options), file);
  return documents.map(({ document, location }) => readManifest(document, location, known, options.namespace));
}

function readManifest(document: unknown, location: string, known: readonly Kind[], namespace: string): FileManifest {
  if (typeof document !== "object" || document === null) throw new InputError(`${location}: not an object`);
  const object: Readonly<Record<string, unknown>> = { ...document };
  const { apiVersion, kind: kindName, metadata } = object;
  const kind = known.find((candidate) => candidate.kind === kindName && apiVersionOf(candidate) === apiVersion);
  if (kind === undefined)
    throw new InputError(`${location}: unknown kind ${String(kindName)} of ${String(apiVersion)}`);
  const meta: Readonly<Record<string, unknown>> = typeof metadata === "object" ? { ...metadata } : {};
  if (typeof meta["name"] !== "string") throw new InputError(`${location}: metadata.name is missing`);
  const own = typeof meta["namespace"] === "string" ? meta["namespace"] : namespace;
  const scoped = kind.scope === "Namespaced" ? { ...meta, namespace: own } : meta;
  return {
    kind,
    name: meta["name"],
    namespace: kind.scope === "Namespaced" ? own : undefined,
    object: { ...object, metadata: scoped },
  };
}

/** Creates the object, or merges it into the existing one. */
export async function applyManifest(client: Client, manifest: FileManifest, signal: AbortSignal): Promise<void> {
  const { kind, name, namespace, object } = manifest;
  try {
    await client.create(kind, object, { signal, fieldValidation: "Strict" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const key = namespace === undefined ? { name } : { namespace, name };
    await client.mergePatch(kind, key, object, { signal, fieldValidation: "Strict" });
  }
}
