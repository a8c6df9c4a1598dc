import { Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Harness } from "./harness.ts";

/** Phase of a pod, as a kubelet reports it. */
export type PodPhase = "Running" | "Succeeded" | "Failed";

const POLL_MS = 50;
const POLLS_MAX = 400;

/** Polls until there is a value. */
export async function eventually<T>(harness: Harness, what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const result = await ask();
    if (result !== undefined) return result;
    await harness.environment.idle(POLL_MS);
  }
  throw new Error(`timed out waiting for: ${what}`);
}

/** Simulates a kubelet: waits for a number of pods without a phase, and sets the phase of each. */
export async function setPodPhase(harness: Harness, labels: string, count: number, phase: PodPhase): Promise<void> {
  const { namespace } = harness.environment;
  const pods = await eventually(harness, `${count} pods of ${labels}`, async () => {
    const { items } = await harness.client.list(Pod, { namespace, labels });
    const pending = items.filter(
      (pod) => pod.status?.phase === "Pending" && pod.metadata.deletionTimestamp === undefined,
    );
    return pending.length >= count ? pending : undefined;
  });
  for (const pod of pods) await notify(harness, pod, phase);
}

async function notify(harness: Harness, { metadata }: ObjectOf<typeof Pod>, phase: PodPhase): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const status = phase === "Running" ? "True" : "False";
  const types = ["Initialized", "ContainersReady", "Ready"];
  const conditions = types.map((type) => ({ type, status, lastTransitionTime: time }));
  const patch = { status: { phase, startTime: time, conditions } };
  await harness.client.strategicPatch(Pod, harness.at(metadata.name), patch, { subresource: "status" });
}
