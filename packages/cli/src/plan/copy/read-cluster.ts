import { apiVersionOf, InputError, isNotFound, kindId, Namespace, StatusError } from "@levelset/core";
import { formatApiVersion, mapConcurrent } from "@levelset/core/internal";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { Discovery } from "@levelset/operator";
import type { Client } from "@levelset/operator";
import type { CopiedCollection } from "./copied-collection.ts";

/** The objects of a cluster that an operator declares. */
export interface ClusterObjects {
  /** The objects of all collections. */
  readonly declared: readonly KubeObject[];
  /** The namespaces, unless the operator declares them. */
  readonly namespaces: readonly KubeObject[];
  /** What the objects do not include, for people. */
  readonly notes: readonly string[];
}

/** Options of {@link readCluster}. */
export interface ReadClusterOptions {
  readonly signal: AbortSignal;
  /** File of the operator, for hints. */
  readonly file: string;
}

const PAGE = 500;
/** Lists that are started again because their snapshot was compacted. */
const EXPIRED_MAX = 3;
const CONCURRENCY = 4;

/**
 * Reads the objects of the collections, page by page. Throws an InputError that names the missing permission, and for a
 * kind that the cluster does not serve.
 */
export async function readCluster(
  client: Client,
  collections: readonly CopiedCollection[],
  options: ReadClusterOptions,
): Promise<ClusterObjects> {
  const read = await mapConcurrent(collections, (each) => readCollection(client, each, options), CONCURRENCY);
  const declared = read.flatMap(({ objects }) => objects);
  const hasNamespaces = collections.some(({ kind }) => kindId(kind) === kindId(Namespace));
  const namespaces = hasNamespaces ? NO_NAMESPACES : await readNamespaces(client, collections, declared, options);
  return {
    declared,
    namespaces: namespaces.objects,
    notes: [...read.flatMap(({ notes }) => notes), ...namespaces.notes],
  };
}

interface ReadObjects {
  readonly objects: readonly KubeObject[];
  readonly notes: readonly string[];
}

const NO_NAMESPACES: ReadObjects = { objects: [], notes: [] };

async function readCollection(
  client: Client,
  collection: CopiedCollection,
  options: ReadClusterOptions,
): Promise<ReadObjects> {
  const { kind, namespace } = collection;
  try {
    return { objects: await listAll(client, kind, namespace, options.signal), notes: [] };
  } catch (error) {
    if (isForbidden(error)) throw missingPermission("list", kind, namespace, options.file, error);
    if (isNotFound(error)) return absentKind(client, collection, options.signal);
    throw error;
  }
}

async function listAll(
  client: Client,
  kind: Kind,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  for (let expired = 0; ; expired++) {
    const objects: KubeObject[] = [];
    try {
      for await (const { items } of client.pages(kind, { namespace, limit: PAGE, signal })) objects.push(...items);
      return objects;
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== "Expired" || expired === EXPIRED_MAX) throw error;
    }
  }
}

/** Returns nothing for an own kind that the upgrade installs. Throws an InputError for any other kind. */
async function absentKind(
  client: Client,
  { kind, isOwn }: CopiedCollection,
  signal: AbortSignal,
): Promise<ReadObjects> {
  const served = await new Discovery(client).kindInGroup(kind.group, kind.kind, { signal });
  if (served !== undefined) {
    const live = formatApiVersion(served.group, served.version);
    throw new InputError(
      `the cluster serves ${kind.kind} in ${live}, but the operator declares ${apiVersionOf(kind)}`,
      {
        hint: "serve both versions in the CRD first, so that the existing objects can be read",
      },
    );
  }
  if (isOwn) return { objects: [], notes: [`${kindId(kind)} is not installed in the cluster: it has no objects yet`] };
  throw new InputError(`the cluster does not serve the kind ${kind.kind} (${apiVersionOf(kind)})`, {
    hint: "the operator uses it: install its CRD first",
  });
}

/**
 * Reads the namespaces, or replaces those that may not be read: an operator needs no permission for them, but objects
 * can be created in existing namespaces only.
 */
async function readNamespaces(
  client: Client,
  collections: readonly CopiedCollection[],
  declared: readonly KubeObject[],
  { signal }: ReadClusterOptions,
): Promise<ReadObjects> {
  const places = collections.flatMap(({ kind, namespace }) => (kind.scope === "Cluster" ? [] : [namespace]));
  const named = [...new Set(places.filter((namespace) => namespace !== undefined))];
  try {
    if (places.includes(undefined)) return { objects: await listAll(client, Namespace, undefined, signal), notes: [] };
    const found = await mapConcurrent(named, (name) => namespaceIfThere(client, name, signal), CONCURRENCY);
    const missing = named.filter((_, index) => found[index]?.length === 0);
    return { objects: found.flat(), notes: missing.map((name) => `namespace ${name} does not exist`) };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const used = declared.flatMap(({ metadata }) => metadata.namespace ?? []);
    const names = [...new Set([...named, ...used])];
    return {
      objects: names.map(activeNamespace),
      notes: [`namespaces cannot be read: the copy has ${list(names)} only`],
    };
  }
}

async function namespaceIfThere(client: Client, name: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
  try {
    return [await client.get(Namespace, { name }, { signal })];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function activeNamespace(name: string): ObjectOf<typeof Namespace> {
  const labels = { "kubernetes.io/metadata.name": name };
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, uid: `namespace-${name}`, resourceVersion: "", labels },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "the initial ones" : names.toSorted().join(", ");
}

function isForbidden(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "Forbidden";
}

function missingPermission(
  verb: string,
  kind: Kind,
  namespace: string | undefined,
  file: string,
  cause: unknown,
): InputError {
  const where =
    kind.scope === "Cluster" ? "" : namespace === undefined ? " in all namespaces" : ` in namespace ${namespace}`;
  return new InputError(`missing permission: ${verb} ${kindId(kind)}${where}`, {
    hint: `run levelset manifests ${file} to print the required roles, or pass another --context`,
    cause,
  });
}
