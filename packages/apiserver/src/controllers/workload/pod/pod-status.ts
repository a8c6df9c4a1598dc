import { fnv1a64 } from "../../event-recorder.ts";
import { setWorkloadCondition } from "../workload-condition.ts";
import type { WorkloadConditionUpdate, WorkloadCondition } from "../workload-condition.ts";
import { containerStatuses, initContainerStatuses } from "./container-status.ts";
import type { ContainerPhase } from "./container-status.ts";
import type { Pod } from "./pod.ts";

/** Returns the status of a scheduled pod with its containers in this phase. */
export function podStatus(pod: Pod, containers: ContainerPhase, now: string): unknown {
  const isStarted = containers.kind !== "waiting";
  const init = initContainerStatuses(pod, containers, now);
  const hostIP = pod.status?.hostIP ?? nodeAddress(pod.spec?.nodeName ?? "");
  const podIP = pod.status?.podIP ?? (isStarted ? podAddress(pod, hostIP) : undefined);
  return {
    ...pod.status,
    phase: phaseOf(containers),
    conditions: conditionsOf(pod, containers, now),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: pod.status?.startTime ?? now,
    qosClass: pod.status?.qosClass ?? "BestEffort",
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    ...(init === undefined ? {} : { initContainerStatuses: init }),
    containerStatuses: containerStatuses(pod, containers, now),
  };
}

function phaseOf(containers: ContainerPhase): string {
  switch (containers.kind) {
    case "waiting":
      return "Pending";
    case "running":
    case "crashed":
      return "Running";
    case "ended":
      return containers.exitCode === 0 ? "Succeeded" : "Failed";
    default:
      return containers satisfies never;
  }
}

function conditionsOf(pod: Pod, containers: ContainerPhase, now: string): unknown {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name).join(" ");
  const isReady = containers.kind === "running" && containers.ready;
  const hasEnded = containers.kind === "ended";
  const unready: Partial<WorkloadConditionUpdate> = isReady
    ? {}
    : hasEnded && containers.exitCode === 0
      ? { reason: "PodCompleted" }
      : hasEnded
        ? { reason: "PodFailed" }
        : { reason: "ContainersNotReady", message: `containers with unready status: [${names}]` };
  const ready = isReady ? "True" : "False";
  const updates: readonly WorkloadConditionUpdate[] = [
    { type: "PodReadyToStartContainers", status: hasEnded ? "False" : "True" },
    {
      type: "Initialized",
      status: "True",
      ...(hasEnded && containers.exitCode === 0 ? { reason: "PodCompleted" } : {}),
    },
    { type: "Ready", status: ready, ...unready },
    { type: "ContainersReady", status: ready, ...unready },
    { type: "PodScheduled", status: "True" },
  ];
  const before = (pod.status?.conditions ?? []).map(bare);
  return updates.reduce<readonly WorkloadCondition[]>(
    (conditions, each) => setWorkloadCondition(conditions, each, now),
    before,
  );
}

/** Removes reason and message of a condition, so that outdated ones do not remain. */
function bare({ reason: _reason, message: _message, ...rest }: WorkloadCondition): WorkloadCondition {
  return rest;
}

/** Returns a stable address for a simulated node. */
export function nodeAddress(node: string): string {
  const hash = Number(fnv1a64(node) % 65_000n) + 257;
  return `10.88.${hash >> 8}.${hash & 255}`;
}

function podAddress(pod: Pod, hostIP: string): string {
  if (pod.spec?.hostNetwork === true) return hostIP;
  const hash = Number(fnv1a64(pod.metadata.uid) % 65_000n) + 257;
  return `10.244.${hash >> 8}.${hash & 255}`;
}
