import { Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Cluster } from "./cluster.ts";

/** Phase of a pod, as a kubelet reports it. */
export type PodPhase = "Running" | "Succeeded" | "Failed";

/** Simulates a kubelet: waits for a number of pods without a phase, and sets the phase of each. */
export async function setPodPhase(cluster: Cluster, labels: string, count: number, phase: PodPhase): Promise<void> {
  const { namespace } = cluster;
  const pods = await cluster.eventually(`${count} pods of ${labels}`, async () => {
    const { items } = await cluster.client.list(Pod, { namespace, labels });
    const pending = items.filter(
      (pod) => pod.status?.phase === "Pending" && pod.metadata.deletionTimestamp === undefined,
    );
    return pending.length >= count ? pending : undefined;
  });
  for (const pod of pods) await notify(cluster, pod, phase);
}

async function notify(cluster: Cluster, { metadata }: ObjectOf<typeof Pod>, phase: PodPhase): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const status = phase === "Running" ? "True" : "False";
  const types = ["Initialized", "ContainersReady", "Ready"];
  const conditions = types.map((type) => ({ type, status, lastTransitionTime: time }));
  const patch = { status: { phase, startTime: time, conditions } };
  await cluster.client.strategicPatch(Pod, cluster.at(metadata.name), patch, { subresource: "status" });
}
