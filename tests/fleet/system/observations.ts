import { Deployment, isNotFound, Namespace } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import type { WireResource } from "@levelset/fleet/client";
import { namespaceOf } from "../../../examples/06-fleet/kinds.ts";
import type { SystemPlace } from "./place.ts";

/** Lets time pass until resources are Ready at a generation, and tells how much did. */
export async function readyAt(
  place: SystemPlace,
  resources: readonly WireResource[],
  generation: number,
): Promise<number> {
  return place.until(`Ready at ${generation}`, async () => {
    const all = await place.system.all();
    return resources.every(({ id }) => {
      const found = all.get(id);
      const ready = found === undefined ? undefined : readyOf(found);
      return ready?.status === "True" && ready.observed_generation === generation;
    });
  });
}

/** Lets time pass until resources are gone from the API. */
export async function goneFrom(place: SystemPlace, resources: readonly WireResource[]): Promise<void> {
  await place.until("it is gone", async () => {
    const all = await place.system.all();
    return resources.every(({ id }) => !all.has(id));
  });
}

/** The namespaces of this fleet's clusters that are there. */
export async function namespacesLeft({ kube, system }: SystemPlace): Promise<readonly string[]> {
  const ours = new Set([...system.declared].map(namespaceOf));
  const { items } = await kube.list(Namespace, {});
  return items.map(({ metadata }) => metadata.name).filter((name) => ours.has(name));
}

/** The image of a cluster's control plane; undefined where there is none. */
export async function imageOf({ kube }: SystemPlace, { id }: WireResource): Promise<string | undefined> {
  try {
    const found = await kube.get(Deployment, { name: "control-plane", namespace: namespaceOf(id) });
    return found.spec?.template.spec?.containers[0]?.image;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The ids of resources in the order in which they go, for as long as the signal lasts. */
export function goings({ system }: SystemPlace, signal: AbortSignal): readonly string[] {
  const ids: string[] = [];
  const follow = async (): Promise<void> => {
    for await (const event of system.resources.watch({ signal })) {
      if (event.kind === "gone") ids.push(event.resource.id);
    }
  };
  follow().catch(() => {}); // ended by the test
  return ids;
}
