import { apiVersionOf, InputError, isNotFound, kindId, Lease } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { isServed } from "@levelset/operator";
import type { Client, Managed, ManagerOptions } from "@levelset/operator";
import type { Program } from "./load.ts";

/** A collection that an operator follows. */
interface Followed {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly isOwn: boolean;
}

/**
 * Asks once for everything that a program follows. What the cluster does not know or refuses is thrown here and now; later it would
 * only be tried again for ever.
 */
export async function checkAccess(
  client: Client,
  { operators, others }: Program,
  options: Pick<ManagerOptions, "namespaces" | "leaderElection"> & { readonly signal: AbortSignal },
): Promise<void> {
  const { namespaces, leaderElection, signal } = options;
  const followed = [
    ...operators.flatMap((operator) => followedBy(operator, namespaces)),
    ...others.flatMap(({ kinds = [] }) => kinds.map((kind) => ({ kind, namespace: undefined, isOwn: true }))),
  ];
  const once = new Map(followed.map((each) => [`${kindId(each.kind)} ${each.namespace}`, each]));
  await Promise.all([...once.values()].map((each) => checkServed(client, each, signal)));
  if (leaderElection === undefined) return;
  const { namespace, name } = leaderElection;
  await client.get(Lease, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function checkServed(client: Client, followed: Followed, signal: AbortSignal): Promise<void> {
  const { kind, namespace, isOwn } = followed;
  if (await isServed(client, kind, { namespace, signal })) return;
  throw new InputError(`the cluster does not know the kind ${kind.kind} of ${apiVersionOf(kind)}`, {
    hint: isOwn
      ? "install its CRD first, or run with --install-crds"
      : "the operator uses it: install what brings it first",
  });
}

function followedBy({ needs }: Managed, everywhere: readonly string[] | undefined): readonly Followed[] {
  const places = needs.namespaces ?? everywhere ?? [undefined];
  const inAll = (kind: Kind, isOwn: boolean): readonly Followed[] =>
    (kind.scope === "Cluster" ? [undefined] : places).map((namespace) => ({ kind, namespace, isOwn }));
  // Own kinds last: of the same kind found twice, the last one counts.
  return [...[...needs.owns, ...needs.reads].flatMap((kind) => inAll(kind, false)), ...inAll(needs.kind, true)];
}
