import { Deployment, isNotFound, Namespace } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import type { WireResource } from "@levelset/fleet/client";
import { namespaceForCluster } from "../../../../examples/06-fleet/kinds.ts";
import type { SystemHarness } from "./system-harness.ts";

/** Advances time until resources are Ready at a generation, and returns the elapsed time. */
export async function untilReadyAt(
  harness: SystemHarness,
  resources: readonly WireResource[],
  generation: number,
): Promise<number> {
  return harness.until(`Ready at ${generation}`, async () => {
    const all = await harness.system.all();
    return resources.every(({ id }) => {
      const found = all.get(id);
      const ready = found === undefined ? undefined : readyOf(found);
      return ready?.status === "True" && ready.observed_generation === generation;
    });
  });
}

/** Advances time until resources are removed from the API. */
export async function untilDeleted(harness: SystemHarness, resources: readonly WireResource[]): Promise<void> {
  await harness.until("deleted", async () => {
    const all = await harness.system.all();
    return resources.every(({ id }) => !all.has(id));
  });
}

/** Returns the existing namespaces of this fleet's clusters. */
export async function namespacesLeft({ kube, system }: SystemHarness): Promise<readonly string[]> {
  const ownNamespaces = new Set([...system.declared].map(namespaceForCluster));
  const { items } = await kube.list(Namespace, {});
  return items.map(({ metadata }) => metadata.name).filter((name) => ownNamespaces.has(name));
}

/** Returns the image of a cluster's control plane; undefined if there is none. */
export async function imageOf({ kube }: SystemHarness, { id }: WireResource): Promise<string | undefined> {
  try {
    const found = await kube.get(Deployment, { name: "control-plane", namespace: namespaceForCluster(id) });
    return found.spec?.template.spec?.containers[0]?.image;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns the IDs of resources in removal order, until the signal aborts. */
export function deletionOrder({ system }: SystemHarness, signal: AbortSignal): readonly string[] {
  const ids: string[] = [];
  const watch = async (): Promise<void> => {
    for await (const event of system.resources.watch({ signal })) {
      if (event.kind === "gone") ids.push(event.resource.id);
    }
  };
  watch().catch(() => {}); // ended by the test
  return ids;
}
