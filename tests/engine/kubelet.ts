import { Pod } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Stage } from "./stage.ts";

/** How a pod is doing, as a kubelet tells it. */
export type Phase = "Running" | "Succeeded" | "Failed";

const POLL_MS = 50;
const POLLS_MAX = 400;

/** Asks again and again until there is an answer. */
export async function eventually<T>(stage: Stage, what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await stage.place.idle(POLL_MS);
  }
  throw new Error(`it never came to pass: ${what}`);
}

/** Does what a kubelet would, as there is none: waits for so many pods that nobody has told of, and tells of each. */
export async function tellPods(stage: Stage, labels: string, count: number, phase: Phase): Promise<void> {
  const { namespace } = stage.place;
  const pods = await eventually(stage, `${count} pods of ${labels}`, async () => {
    const { items } = await stage.client.list(Pod, { namespace, labels });
    const untold = items.filter(
      (pod) => pod.status?.phase === "Pending" && pod.metadata.deletionTimestamp === undefined,
    );
    return untold.length >= count ? untold : undefined;
  });
  for (const pod of pods) await tell(stage, pod, phase);
}

async function tell(stage: Stage, { metadata }: ObjectOf<typeof Pod>, phase: Phase): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const status = phase === "Running" ? "True" : "False";
  const types = ["Initialized", "ContainersReady", "Ready"];
  const conditions = types.map((type) => ({ type, status, lastTransitionTime: time }));
  const patch = { status: { phase, startTime: time, conditions } };
  await stage.client.strategicPatch(Pod, stage.at(metadata.name), patch, { subresource: "status" });
}
