import { valueAt } from "./match.ts";
import type { CaseContext } from "./case-context.ts";
import { eventually } from "../../../support/eventually.ts";

/** Returns the name of an object. */
export function nameOf(object: unknown): string {
  return String(valueAt(object, "metadata.name"));
}

/** Returns selected pods that are neither finished nor terminating. */
export async function activePods(scenario: CaseContext, labelSelector: string): Promise<readonly unknown[]> {
  const pods = (await scenario.get("pods", { labelSelector })).list("items");
  return pods.filter((pod) => {
    const phase = valueAt(pod, "status.phase");
    return valueAt(pod, "metadata.deletionTimestamp") === undefined && phase !== "Succeeded" && phase !== "Failed";
  });
}

/** Acts as the kubelet: waits for a number of pods and sets each status to running or terminated. */
export async function markPodsRunning(
  scenario: CaseContext,
  labelSelector: string,
  count: number,
  phase: "Running" | "Succeeded" | "Failed" = "Running",
): Promise<void> {
  const pods = await eventually(`${count} pods are there`, async () => {
    const active = await activePods(scenario, labelSelector);
    return active.length >= count && active;
  });
  for (const pod of pods) await report(scenario, pod, phase);
}

/** Repeatedly marks all pods as running until a promise resolves. */
export async function keepPodsRunning(
  scenario: CaseContext,
  labelSelector: string,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await eventually("the workload has settled", async () => {
    const pods = (await scenario.get("pods", { labelSelector })).list("items");
    for (const pod of pods.filter((each) => valueAt(each, "status.phase") === "Pending"))
      await report(scenario, pod, "Running");
    return await isDone();
  });
}

async function report(scenario: CaseContext, pod: unknown, phase: string): Promise<void> {
  const now = "2026-01-01T00:00:00Z";
  const ready = phase === "Running" ? "True" : "False";
  const name = nameOf(pod);
  const podIP = `10.9.${Buffer.from(name).reduce((sum, code) => (sum * 31 + code) % 250, 7)}.${1 + name.length}`;
  const conditions = ["Ready", "ContainersReady", "Initialized"].map((type) => ({
    type,
    status: ready,
    lastTransitionTime: now,
  }));
  const response = await scenario.send("PATCH", `pods/${name}/status`, {
    body: { status: { phase, podIP, podIPs: [{ ip: podIP }], startTime: now, conditions } },
    headers: { "content-type": "application/strategic-merge-patch+json" },
  });
  // The pod may be gone.
  if (response.status !== 404) response.expectStatus(200);
}
