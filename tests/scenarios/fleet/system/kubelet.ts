import { isConflict, isNotFound, Pod } from "@levelset/core";
import type { Clock, ObjectOf } from "@levelset/core";
import type { Client } from "@levelset/operator";

const LOOK_MS = 100;
/** Like in simulated workloads: an image with this tag cannot be pulled. */
const UNKNOWN_IMAGE = /:does-not-exist$/u;

/**
 * Acts as the kubelets of a cluster without nodes: pods run, and those of Jobs succeed. Runs until the signal aborts.
 */
export async function runPods(client: Client, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { items } = await client.list(Pod, {});
    await Promise.all(items.filter(isWaiting).map((pod) => notify(client, pod)));
    await clock.sleep(LOOK_MS);
  }
}

function isWaiting({ metadata, spec, status }: ObjectOf<typeof Pod>): boolean {
  const isStuck = spec.containers.some(({ image = "" }) => UNKNOWN_IMAGE.test(image));
  return status?.phase === "Pending" && metadata.deletionTimestamp === undefined && !isStuck;
}

async function notify(client: Client, { metadata }: ObjectOf<typeof Pod>): Promise<void> {
  const isJob = metadata.ownerReferences?.some(({ kind }) => kind === "Job") === true;
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const conditions = ["Initialized", "ContainersReady", "Ready"].map((type) => {
    return { type, status: isJob ? "False" : "True", lastTransitionTime };
  });
  const status = { phase: isJob ? "Succeeded" : "Running", startTime: lastTransitionTime, conditions };
  try {
    await client.strategicPatch(Pod, metadata, { status }, { subresource: "status" });
  } catch (error) {
    // Removed or changed concurrently: the next round handles it.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
