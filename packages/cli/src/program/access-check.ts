import { apiVersionOf, InputError, isNotFound, kindId, Lease } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { isServed } from "@levelset/operator/internal";
import type { Client, ManagedOperator, ManagerOptions } from "@levelset/operator";
import type { Program } from "../process/index.ts";

/** A collection that an operator watches. */
interface WatchedResource {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly isOwn: boolean;
}

/**
 * Lists every watched collection once. Throws an InputError for kinds that the cluster does not serve and for missing
 * permissions, which informers would otherwise retry forever.
 */
export async function checkAccess(
  client: Client,
  { operators, others }: Program,
  options: Pick<ManagerOptions, "namespaces" | "leaderElection"> & { readonly signal: AbortSignal },
): Promise<void> {
  const { namespaces, leaderElection, signal } = options;
  const watched = [
    ...operators.flatMap((operator) => watchedBy(operator, namespaces)),
    ...others.flatMap(({ kinds = [] }) => kinds.map((kind) => ({ kind, namespace: undefined, isOwn: true }))),
  ];
  const unique = new Map(watched.map((each) => [`${kindId(each.kind)} ${each.namespace}`, each]));
  await Promise.all([...unique.values()].map((each) => checkServed(client, each, signal)));
  if (leaderElection === undefined) return;
  const { namespace, name } = leaderElection;
  await client.get(Lease, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function checkServed(client: Client, watched: WatchedResource, signal: AbortSignal): Promise<void> {
  const { kind, namespace, isOwn } = watched;
  if (await isServed(client, kind, { namespace, signal })) return;
  throw new InputError(`the cluster does not serve the kind ${kind.kind} (${apiVersionOf(kind)})`, {
    hint: isOwn ? "install its CRD first, or run with --install-crds" : "the operator uses it: install its CRD first",
  });
}

function watchedBy({ rbac }: ManagedOperator, defaults: readonly string[] | undefined): readonly WatchedResource[] {
  const namespaces = rbac.namespaces ?? defaults ?? [undefined];
  const inEach = (kind: Kind, isOwn: boolean): readonly WatchedResource[] =>
    (kind.scope === "Cluster" ? [undefined] : namespaces).map((namespace) => ({ kind, namespace, isOwn }));
  // Own kinds last: the last entry of a duplicate kind wins.
  return [...[...rbac.owns, ...rbac.reads].flatMap((kind) => inEach(kind, false)), ...inEach(rbac.kind, true)];
}
