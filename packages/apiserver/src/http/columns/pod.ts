import type { ContainerStatus, JsonValue, ObjectOf, Pod } from "@levelset/core";
import { age } from "../age.ts";
import { AGE, ageOf, column, NAME, printer, wide } from "./printer.ts";
import type { Printer, RowCondition } from "./printer.ts";
import { NONE } from "./text.ts";

type PodObject = ObjectOf<typeof Pod>;

/** What the containers of a pod add up to. */
interface Tally {
  /** Why the pod is in its state, in one word. */
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container ended last, in milliseconds; 0 for never. */
  readonly lastEnd: number;
}

/** The row of a pod. */
export const podPrinter: Printer = {
  ...printer<typeof Pod>(
    [
      NAME,
      column("Ready", "Containers that are ready, of all that keep running."),
      column("Status", "What its containers add up to, in one word."),
      column("Restarts", "How often containers were started again, and when last."),
      AGE,
      wide("IP", "Its address."),
      wide("Node", "The node that runs it."),
      wide("Nominated Node", "The node it waits for while others are pushed out."),
      wide("Readiness Gates", "Further conditions that hold, of those it needs to be ready."),
    ],
    podCells,
  ),
  conditions: (object) => {
    // Checked against the schema of pods when it was written.
    const phase = (object as unknown as PodObject).status?.phase;
    if (phase === "Succeeded") return [completed(phase, "The pod has completed successfully.")];
    return phase === "Failed" ? [completed(phase, "The pod failed.")] : [];
  },
};

function completed(reason: string, message: string): RowCondition {
  return { type: "Completed", status: "True", reason, message };
}

function podCells(pod: PodObject, nowMs: number): readonly JsonValue[] {
  const { spec, status, metadata } = pod;
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const { reason, ready, restarts, lastEnd } = tallyOf(pod);
  const ago = restarts === 0 || lastEnd === 0 ? "" : ` (${age(new Date(lastEnd).toISOString(), nowMs)} ago)`;
  return [
    metadata.name,
    `${ready}/${spec.containers.length + sidecars.length}`,
    reason,
    `${restarts}${ago}`,
    ageOf(pod, nowMs),
    status?.podIPs?.[0]?.ip ?? NONE,
    spec.nodeName ?? NONE,
    status?.nominatedNodeName ?? NONE,
    gatesText(pod),
  ];
}

function gatesText({ spec, status }: PodObject): string {
  const gates = spec.readinessGates ?? [];
  const holds = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  return gates.length === 0
    ? NONE
    : `${gates.filter(({ conditionType }) => holds(conditionType)).length}/${gates.length}`;
}

function isSidecar(container: { readonly restartPolicy?: string | undefined } | undefined): boolean {
  return container?.restartPolicy === "Always";
}

function tallyOf(pod: PodObject): Tally {
  const { status, metadata } = pod;
  const before = initTally(pod);
  const isInitialized = status?.conditions?.some(({ type, status: is }) => type === "Initialized" && is === "True");
  const tally = before.isInitializing && isInitialized !== true ? before.tally : mainTally(pod, before.sidecars);
  if (metadata.deletionTimestamp === undefined) return tally;
  if (status?.reason === "NodeLost") return { ...tally, reason: "Unknown" };
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? tally : { ...tally, reason: "Terminating" };
}

function reasonOf({ status }: PodObject): string {
  const gated = status?.conditions?.some(({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated");
  if (gated === true) return "SchedulingGated";
  return (status?.reason ?? "") === "" ? (status?.phase ?? "") : (status?.reason ?? "");
}

/** Goes through the init containers up to the first that holds the others up. `sidecars` counts those that keep running. */
function initTally(pod: PodObject): {
  readonly isInitializing: boolean;
  readonly tally: Tally;
  readonly sidecars: Tally;
} {
  const declared = pod.spec.initContainers ?? [];
  let all: Tally = { reason: reasonOf(pod), ready: 0, restarts: 0, lastEnd: 0 };
  let sidecars = all;
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const sidecar = isSidecar(declared.find(({ name }) => name === container.name));
    all = restarted(all, container);
    if (sidecar) sidecars = restarted(sidecars, container);
    if (container.state?.terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      const ready = all.ready + (container.ready ? 1 : 0);
      all = { ...all, ready };
      sidecars = { ...sidecars, ready };
      continue;
    }
    const reason = initReason(container, `${index}/${declared.length}`);
    return { isInitializing: true, tally: { ...all, reason }, sidecars: { ...sidecars, reason } };
  }
  return { isInitializing: false, tally: all, sidecars };
}

function restarted(tally: Tally, container: ContainerStatus): Tally {
  const finishedAt = container.lastState?.terminated?.finishedAt ?? "";
  const end = finishedAt === "" ? 0 : Date.parse(finishedAt);
  return {
    ...tally,
    restarts: tally.restarts + (container.restartCount ?? 0),
    lastEnd: Math.max(tally.lastEnd, Number.isNaN(end) ? 0 : end),
  };
}

function initReason({ state }: ContainerStatus, progress: string): string {
  if (state?.terminated !== undefined) return `Init:${endReason(state.terminated)}`;
  const waiting = state?.waiting?.reason ?? "";
  return waiting === "" || waiting === "PodInitializing" ? `Init:${progress}` : `Init:${waiting}`;
}

function endReason(end: {
  readonly reason?: string | undefined;
  readonly signal?: number | undefined;
  readonly exitCode?: number | undefined;
}): string {
  if ((end.reason ?? "") !== "") return end.reason ?? "";
  return (end.signal ?? 0) === 0 ? `ExitCode:${end.exitCode ?? 0}` : `Signal:${end.signal}`;
}

/** Goes through the main containers; the first of them has the last word about the reason. */
function mainTally(pod: PodObject, sidecars: Tally): Tally {
  let tally = sidecars;
  let failure = "";
  let hasRunning = false;
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    tally = restarted(tally, container);
    const { waiting, terminated, running } = container.state ?? {};
    if ((waiting?.reason ?? "") !== "") {
      tally = { ...tally, reason: waiting?.reason ?? "" };
    } else if (terminated !== undefined) {
      tally = { ...tally, reason: endReason(terminated) };
      if ((terminated.exitCode ?? 0) !== 0) failure = tally.reason;
    } else if (container.ready === true && running !== undefined) {
      hasRunning = true;
      tally = { ...tally, ready: tally.ready + 1 };
    }
  }
  if (tally.reason !== "Completed") return tally;
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  if (hasRunning && isReady === true) return { ...tally, reason: "Running" };
  if (failure !== "") return { ...tally, reason: failure };
  return hasRunning ? { ...tally, reason: "NotReady" } : tally;
}
