import { fnv1a64 } from "../../event-recorder.ts";
import type { Pod } from "./pod.ts";

/** State of the containers of a simulated pod. */
export type ContainerPhase =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly ready: boolean }
  | { readonly kind: "ended"; readonly exitCode: number }
  /** Terminated, will be restarted after a delay. */
  | { readonly kind: "crashed"; readonly exitCode: number };

type Statuses = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>;
type Status = Statuses[number];

/** Returns the status of every container of a pod in this phase. */
export function containerStatuses(pod: Pod, phase: ContainerPhase, now: string): Statuses {
  return (pod.spec?.containers ?? []).map(({ name, image = "" }) => {
    const before = pod.status?.containerStatuses?.find((status) => status.name === name);
    return containerStatus({ pod, name, image, before, phase, now });
  });
}

/** Init containers have always completed before the main containers start. */
export function initContainerStatuses(pod: Pod, phase: ContainerPhase, now: string): Statuses | undefined {
  const containers = pod.spec?.initContainers ?? [];
  if (containers.length === 0) return undefined;
  return containers.map(({ name, image = "", restartPolicy }) => {
    const before = pod.status?.initContainerStatuses?.find((status) => status.name === name);
    if (before?.state?.terminated !== undefined) return before;
    const done: ContainerPhase =
      phase.kind === "waiting" ? { kind: "waiting", reason: "PodInitializing" } : { kind: "ended", exitCode: 0 };
    // A sidecar runs beside the main containers.
    const own = restartPolicy === "Always" ? phase : done;
    return { ...containerStatus({ pod, name, image, before, phase: own, now }), ready: phase.kind !== "waiting" };
  });
}

interface ContainerFacts {
  readonly pod: Pod;
  readonly name: string;
  readonly image: string;
  readonly before: Status | undefined;
  readonly phase: ContainerPhase;
  readonly now: string;
}

function containerStatus(facts: ContainerFacts): Status {
  const { name, image, before, phase } = facts;
  const restartCount = (before?.restartCount ?? 0) + (phase.kind === "crashed" ? 1 : 0);
  const lastState =
    phase.kind === "crashed" ? { terminated: terminated(facts, phase.exitCode) } : (before?.lastState ?? {});
  const hasRun = phase.kind !== "waiting" || before?.containerID !== undefined;
  return {
    name,
    image,
    imageID: hasRun ? `simulated://${image}` : "",
    ...(hasRun ? { containerID: idOf(facts) } : {}),
    ready: phase.kind === "running" && phase.ready,
    started: phase.kind === "running",
    restartCount,
    state: stateOf(facts),
    lastState,
  };
}

function stateOf(facts: ContainerFacts): NonNullable<Status["state"]> {
  const { phase, before, now, name } = facts;
  switch (phase.kind) {
    case "waiting": {
      const { reason, message } = phase;
      return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
    }
    case "running":
      return { running: { startedAt: before?.state?.running?.startedAt ?? now } };
    case "ended":
      return { terminated: terminated(facts, phase.exitCode) };
    case "crashed": {
      const message = `back-off restarting failed container=${name}`;
      return { waiting: { reason: "CrashLoopBackOff", message } };
    }
    default:
      return phase satisfies never;
  }
}

function terminated(facts: ContainerFacts, exitCode: number): NonNullable<NonNullable<Status["state"]>["terminated"]> {
  const { before, now } = facts;
  return {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    startedAt: before?.state?.running?.startedAt ?? now,
    finishedAt: now,
    containerID: idOf(facts),
  };
}

function idOf({ pod, name }: ContainerFacts): string {
  return `simulated://${fnv1a64(`${pod.metadata.uid}/${name}`).toString(16).padStart(16, "0")}`;
}
