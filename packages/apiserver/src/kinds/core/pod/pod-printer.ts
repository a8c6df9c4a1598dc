import type { ContainerStatus, JsonValue, ObjectOf, Pod } from "@levelset/core";
import {
  formatAge,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  NONE_CELL,
} from "../../../resource/index.ts";
import type { Printer, TableRowCondition } from "../../../resource/index.ts";

type PodObject = ObjectOf<typeof Pod>;

/** Aggregated container states of a pod. */
interface Tally {
  /** Text of the STATUS column. */
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** Time of the last container termination in milliseconds; 0 if there was none. */
  readonly lastEnd: number;
}

/** Prints pods. */
export const podPrinter: Printer = {
  ...printer<typeof Pod>(
    [
      NAME_COLUMN,
      tableColumn("Ready", "Ready containers of all long-running containers."),
      tableColumn("Status", "Aggregated state of the containers."),
      tableColumn("Restarts", "How often containers were started again, and when last."),
      AGE_COLUMN,
      wideColumn("IP", "IP address of the pod."),
      wideColumn("Node", "Node of the pod."),
      wideColumn("Nominated Node", "Node on which pods are being preempted for it."),
      wideColumn("Readiness Gates", "Further conditions that hold, of those it needs to be ready."),
    ],
    podCells,
  ),
  conditions: (object) => {
    // The pod was validated against its schema when it was written.
    const phase = (object as unknown as PodObject).status?.phase;
    if (phase === "Succeeded") return [completed(phase, "The pod has completed successfully.")];
    return phase === "Failed" ? [completed(phase, "The pod failed.")] : [];
  },
};

function completed(reason: string, message: string): TableRowCondition {
  return { type: "Completed", status: "True", reason, message };
}

function podCells(pod: PodObject, nowMs: number): readonly JsonValue[] {
  const { spec, status } = pod;
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const { reason, ready, restarts, lastEnd } = tallyOf(pod);
  const ago = restarts === 0 || lastEnd === 0 ? "" : ` (${formatAge(new Date(lastEnd).toISOString(), nowMs)} ago)`;
  return [
    `${ready}/${spec.containers.length + sidecars.length}`,
    reason,
    `${restarts}${ago}`,
    status?.podIPs?.[0]?.ip ?? NONE_CELL,
    spec.nodeName ?? NONE_CELL,
    status?.nominatedNodeName ?? NONE_CELL,
    gatesText(pod),
  ];
}

function gatesText({ spec, status }: PodObject): string {
  const gates = spec.readinessGates ?? [];
  const holds = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  return gates.length === 0
    ? NONE_CELL
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

/** Aggregates the init containers up to the first incomplete one. `sidecars` counts restartable init containers. */
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

/** Aggregates the main containers. The first container decides the reason. */
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
