import { at } from "./match.ts";
import type { Scene } from "./scene.ts";
import { until } from "./until.ts";

/** The name of an object. */
export function nameOf(object: unknown): string {
  return String(at(object, "metadata.name"));
}

/** Pods of a selector that are neither finished nor about to go. */
export async function activePods(scene: Scene, labelSelector: string): Promise<readonly unknown[]> {
  const pods = (await scene.get("pods", { labelSelector })).list("items");
  return pods.filter((pod) => {
    const phase = at(pod, "status.phase");
    return at(pod, "metadata.deletionTimestamp") === undefined && phase !== "Succeeded" && phase !== "Failed";
  });
}

/** Does what a kubelet would: waits for so many pods, and says of each that it runs, or how it ended. */
export async function runPods(
  scene: Scene,
  labelSelector: string,
  count: number,
  phase: "Running" | "Succeeded" | "Failed" = "Running",
): Promise<void> {
  const pods = await until(`${count} pods are there`, async () => {
    const active = await activePods(scene, labelSelector);
    return active.length >= count && active;
  });
  for (const pod of pods) await report(scene, pod, phase);
}

/** Says again and again of all pods that they run, until something is done. */
export async function settlePods(scene: Scene, labelSelector: string, isDone: () => Promise<boolean>): Promise<void> {
  await until("the workload has settled", async () => {
    const pods = (await scene.get("pods", { labelSelector })).list("items");
    for (const pod of pods.filter((each) => at(each, "status.phase") === "Pending"))
      await report(scene, pod, "Running");
    return await isDone();
  });
}

async function report(scene: Scene, pod: unknown, phase: string): Promise<void> {
  const now = "2026-01-01T00:00:00Z";
  const ready = phase === "Running" ? "True" : "False";
  const name = nameOf(pod);
  const podIP = `10.9.${Buffer.from(name).reduce((sum, letter) => (sum * 31 + letter) % 250, 7)}.${1 + name.length}`;
  const conditions = ["Ready", "ContainersReady", "Initialized"].map((type) => ({
    type,
    status: ready,
    lastTransitionTime: now,
  }));
  const answer = await scene.send("PATCH", `pods/${name}/status`, {
    body: { status: { phase, podIP, podIPs: [{ ip: podIP }], startTime: now, conditions } },
    headers: { "content-type": "application/strategic-merge-patch+json" },
  });
  // It may have gone meanwhile.
  if (answer.status !== 404) answer.has(200);
}
