import { createApiServer, MemoryStore } from "@levelset/apiserver";
import type { ApiObject, ApiServer, LoadProblem } from "@levelset/apiserver";
import { apiVersionOf, CustomResourceDefinition, InputError } from "@levelset/core";
import type { Clock, Kind, KubeObject, Logger, NewOf } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client } from "@levelset/operator";
import { isServed } from "@levelset/operator/internal";
import type { ClusterObjects } from "./read-cluster.ts";

/** Options of {@link copyCluster}. */
export interface CopyClusterOptions {
  readonly crds: readonly NewOf<typeof CustomResourceDefinition>[];
  /** The kinds that the operators use. */
  readonly kinds: readonly Kind[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A copy of a part of a cluster: an embedded server in memory, without the workloads' controllers. */
export interface ClusterCopy extends Disposable {
  readonly server: ApiServer;
  readonly store: MemoryStore;
  /** The copied objects that the CRDs of the operator do not accept. */
  readonly problems: readonly LoadProblem[];
}

/**
 * Copies objects into an embedded server. Its garbage collector runs, so that the children of deleted objects are
 * deleted. Owners that are not copied count as existing. Workloads are not simulated: they keep the status of the
 * cluster. Throws an InputError for a kind that the embedded server does not have.
 */
export async function copyCluster(objects: ClusterObjects, options: CopyClusterOptions): Promise<ClusterCopy> {
  const { crds, clock, logger } = options;
  const store = new MemoryStore();
  const installed = new Set(crds.map(({ metadata }) => metadata.name));
  const all = [...objects.namespaces, ...objects.declared].filter(
    ({ kind, metadata }) => kind !== CustomResourceDefinition.kind || !installed.has(metadata.name),
  );
  const garbageCollector = { externalOwners: missingOwners(all) };
  const server = createApiServer({
    clock,
    random: seededRandom(1),
    logger,
    store,
    controllers: { garbageCollector, serviceAccounts: false, ttlAfterFinished: false, workloads: false },
  });
  const client = new Client({ fetch: server.fetch, fieldManager: "levelset-plan" });
  for (const crd of crds) await client.create(CustomResourceDefinition, crd);
  await checkKinds(client, options.kinds);
  const problems = await server.load(all as unknown as readonly ApiObject[]); // objects are JSON
  return { server, store, problems, [Symbol.dispose]: () => server.close() };
}

/** Without this check the operators would wait for the kind, and the plan would be empty. */
async function checkKinds(client: Client, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    if (await isServed(client, kind)) continue;
    throw new InputError(
      `${kind.kind} (${apiVersionOf(kind)}) cannot be copied: the embedded server does not serve it`,
    );
  }
}

/** Returns the UIDs of owners that are not among the objects. */
export function missingOwners(objects: readonly KubeObject[]): ReadonlySet<string> {
  const present = new Set(objects.map(({ metadata }) => metadata.uid));
  const owners = objects.flatMap(({ metadata }) => metadata.ownerReferences ?? []);
  return new Set(owners.map(({ uid }) => uid).filter((uid) => !present.has(uid)));
}
