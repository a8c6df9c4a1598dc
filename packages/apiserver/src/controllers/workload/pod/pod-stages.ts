import { backoffBaseMs, BACKOFFS } from "@levelset/core/internal";
import type { ApiObject } from "../../../store/index.ts";
import {
  annotationMs,
  simulatedExitCodeOf,
  simulatedFailureOf,
  READY_AFTER_ANNOTATION,
  RUN_FOR_ANNOTATION,
  START_AFTER_ANNOTATION,
  STOP_AFTER_ANNOTATION,
} from "../simulation-annotations.ts";
import type { ContainerPhase } from "./container-status.ts";
import { isPodActive, isPodFinished, isPodReady, restartsOf } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { podStatus } from "./pod-status.ts";
import type { Stage } from "./stage.ts";

const START_MS = 200;
const PULL_FAILED_MS = 100;
const RUN_MS = 1000;
const STOP_MS = 100;
const JITTER = 0.2;

/** Failures that do not prevent the start of containers. */
const NO_START_FAILURES: readonly string[] = ["Unschedulable", "NeverReady", "CrashLoopBackOff"];

/** Returns the reason why the containers of a pod cannot start, or undefined. */
function startFailure(pod: Pod): string | undefined {
  const images = (pod.spec?.containers ?? []).map(({ image = "" }) => image);
  const failure = simulatedFailureOf(pod, images);
  return failure === undefined || NO_START_FAILURES.includes(failure) ? undefined : failure;
}

/** Returns the exit code with which the containers will terminate; undefined if they keep running. */
function comingExit(pod: Pod): number | undefined {
  const reported = simulatedExitCodeOf(pod) ?? (simulatedFailureOf(pod, []) === "CrashLoopBackOff" ? 1 : undefined);
  if (reported !== undefined) return reported;
  return (pod.spec?.restartPolicy ?? "Always") === "Always" ? undefined : 0;
}

/** Whether containers with this exit code are restarted. */
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
  return (pod.spec?.nodeName ?? "") !== "" && isPodActive(pod);
}

/** Returns a stage with callbacks typed for pods. */
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
  return object as unknown as Pod; // the stage applies to pods only
}

/** Lifecycle of a pod on a simulated node. */
export const POD_STAGES: readonly Stage[] = [
  podStage({
    name: "pod-stopped",
    when: (pod) => pod.metadata.deletionTimestamp !== undefined && (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0,
    after: (pod) =>
      Math.min(
        annotationMs(pod, STOP_AFTER_ANNOTATION, STOP_MS),
        (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000,
      ),
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
    after: (pod) => annotationMs(pod, START_AFTER_ANNOTATION, START_MS),
    jitter: JITTER,
    end: () => ({ kind: "running", ready: false }),
  }),
  podStage({
    name: "pod-ready",
    when: (pod) => isOnNode(pod) && isRunning(pod) && !isPodReady(pod) && simulatedFailureOf(pod, []) !== "NeverReady",
    after: (pod) => annotationMs(pod, READY_AFTER_ANNOTATION, 0),
    end: () => ({ kind: "running", ready: true }),
  }),
  podStage({
    name: "pod-ended",
    when: (pod) => isOnNode(pod) && isRunning(pod) && comingExit(pod) !== undefined,
    after: (pod) => annotationMs(pod, RUN_FOR_ANNOTATION, RUN_MS),
    jitter: JITTER,
    end: (pod) => {
      const exitCode = comingExit(pod) ?? 0;
      return { kind: isRestarted(pod, exitCode) ? "crashed" : "ended", exitCode };
    },
  }),
  podStage({
    name: "pod-restarted",
    when: (pod) => isOnNode(pod) && pod.status?.phase === "Running" && waitingReason(pod) === "CrashLoopBackOff",
    after: (pod) => backoffBaseMs(restartsOf(pod), BACKOFFS.simulatedContainer),
    end: () => ({ kind: "running", ready: false }),
  }),
];

function isStarting(pod: Pod): boolean {
  return pod.status?.startTime !== undefined && pod.status.phase === "Pending" && !isPodFinished(pod);
}

function heldUp(pod: Pod, reason: string): ContainerPhase {
  const image = pod.spec?.containers?.[0]?.image ?? "";
  const isPull = reason === "ImagePullBackOff" || reason === "ErrImagePull";
  const message = isPull ? `Back-off pulling image ${JSON.stringify(image)}` : "simulated failure";
  return { kind: "waiting", reason, message };
}
