import type { ApiObject } from "../../store/index.ts";
import { annotatedMs, exitCodeOf, failureOf, READY_AFTER, RUN_FOR, START_AFTER, STOP_AFTER } from "./annotation.ts";
import type { ContainerPhase } from "./container-status.ts";
import { isActive, isFinished, isPodReady, restartsOf } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { podStatus } from "./pod-status.ts";
import type { Stage } from "./stage.ts";

const START_MS = 200;
const PULL_FAILED_MS = 100;
const RUN_MS = 1000;
const STOP_MS = 100;
const RESTART_MS = 10_000;
const RESTART_MAX_MS = 300_000;
const JITTER = 0.2;

/** Failures that are told apart from containers that cannot start. */
const NO_START_FAILURES: readonly string[] = ["Unschedulable", "NeverReady", "CrashLoopBackOff"];

/** Why the containers of a pod cannot start; undefined where they can. */
function startFailure(pod: Pod): string | undefined {
  const images = (pod.spec?.containers ?? []).map(({ image = "" }) => image);
  const failure = failureOf(pod, images);
  return failure === undefined || NO_START_FAILURES.includes(failure) ? undefined : failure;
}

/** The code with which the containers of a running pod will end; undefined where they go on. */
function comingExit(pod: Pod): number | undefined {
  const told = exitCodeOf(pod) ?? (failureOf(pod, []) === "CrashLoopBackOff" ? 1 : undefined);
  if (told !== undefined) return told;
  return (pod.spec?.restartPolicy ?? "Always") === "Always" ? undefined : 0;
}

/** Whether containers that end like this are started again. */
function isRestarted(pod: Pod, exitCode: number): boolean {
  const { restartPolicy = "Always" } = pod.spec ?? {};
  return restartPolicy === "Always" || (restartPolicy === "OnFailure" && exitCode !== 0);
}

function waitingReason(pod: Pod): string | undefined {
  return pod.status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason;
}

function isRunning(pod: Pod): boolean {
  return pod.status?.phase === "Running" && waitingReason(pod) === undefined;
}

function isOnNode(pod: Pod): boolean {
  return (pod.spec?.nodeName ?? "") !== "" && isActive(pod);
}

/** A stage of pods, in terms of pods. */
function podStage(stage: {
  readonly name: string;
  readonly when: (pod: Pod) => boolean;
  readonly after: number | ((pod: Pod) => number);
  readonly jitter?: number;
  readonly end: "remove" | ((pod: Pod) => ContainerPhase);
}): Stage {
  const { name, when, after, end } = stage;
  return {
    name,
    resource: "pods",
    when: (object) => when(asPod(object)),
    after: typeof after === "number" ? after : (object) => after(asPod(object)),
    ...(stage.jitter === undefined ? {} : { jitter: stage.jitter }),
    effect:
      end === "remove"
        ? { kind: "remove" }
        : {
            kind: "status",
            status: (object, { now }) => podStatus(asPod(object), end(asPod(object)), now),
          },
  };
}

function asPod(object: ApiObject): Pod {
  return object as unknown as Pod; // of the resource that the stage names
}

/** The life of a pod on a simulated node. */
export const POD_STAGES: readonly Stage[] = [
  podStage({
    name: "pod-stopped",
    when: (pod) => pod.metadata.deletionTimestamp !== undefined && (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0,
    after: (pod) =>
      Math.min(annotatedMs(pod, STOP_AFTER, STOP_MS), (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000),
    end: "remove",
  }),
  podStage({
    name: "pod-accepted",
    when: (pod) => isOnNode(pod) && pod.status?.startTime === undefined,
    after: 0,
    end: () => ({ kind: "waiting", reason: "ContainerCreating" }),
  }),
  podStage({
    name: "pod-held-up",
    when: (pod) =>
      isOnNode(pod) && isStarting(pod) && startFailure(pod) !== undefined && waitingReason(pod) !== startFailure(pod),
    after: PULL_FAILED_MS,
    jitter: JITTER,
    end: (pod) => heldUp(pod, startFailure(pod) ?? ""),
  }),
  podStage({
    name: "pod-started",
    when: (pod) => isOnNode(pod) && isStarting(pod) && startFailure(pod) === undefined,
    after: (pod) => annotatedMs(pod, START_AFTER, START_MS),
    jitter: JITTER,
    end: () => ({ kind: "running", ready: false }),
  }),
  podStage({
    name: "pod-ready",
    when: (pod) => isOnNode(pod) && isRunning(pod) && !isPodReady(pod) && failureOf(pod, []) !== "NeverReady",
    after: (pod) => annotatedMs(pod, READY_AFTER, 0),
    end: () => ({ kind: "running", ready: true }),
  }),
  podStage({
    name: "pod-ended",
    when: (pod) => isOnNode(pod) && isRunning(pod) && comingExit(pod) !== undefined,
    after: (pod) => annotatedMs(pod, RUN_FOR, RUN_MS),
    jitter: JITTER,
    end: (pod) => {
      const exitCode = comingExit(pod) ?? 0;
      return { kind: isRestarted(pod, exitCode) ? "crashed" : "ended", exitCode };
    },
  }),
  podStage({
    name: "pod-restarted",
    when: (pod) => isOnNode(pod) && pod.status?.phase === "Running" && waitingReason(pod) === "CrashLoopBackOff",
    after: (pod) => Math.min(RESTART_MAX_MS, RESTART_MS * 2 ** Math.max(0, restartsOf(pod) - 1)),
    end: () => ({ kind: "running", ready: false }),
  }),
];

function isStarting(pod: Pod): boolean {
  return pod.status?.startTime !== undefined && pod.status.phase === "Pending" && !isFinished(pod);
}

function heldUp(pod: Pod, reason: string): ContainerPhase {
  const image = pod.spec?.containers?.[0]?.image ?? "";
  const isPull = reason === "ImagePullBackOff" || reason === "ErrImagePull";
  const message = isPull ? `Back-off pulling image ${JSON.stringify(image)}` : "simulated failure";
  return { kind: "waiting", reason, message };
}
