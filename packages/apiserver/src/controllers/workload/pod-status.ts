import { hashText } from "../recorder.ts";
import { withCondition } from "./condition.ts";
import type { Said, StatusCondition } from "./condition.ts";
import { containerStatuses, initContainerStatuses } from "./container-status.ts";
import type { ContainerPhase } from "./container-status.ts";
import type { Pod } from "./pod.ts";

/** The status of a pod whose containers do this, on a node. */
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
  const unready: Partial<Said> = isReady
    ? {}
    : hasEnded && containers.exitCode === 0
      ? { reason: "PodCompleted" }
      : hasEnded
        ? { reason: "PodFailed" }
        : { reason: "ContainersNotReady", message: `containers with unready status: [${names}]` };
  const ready = isReady ? "True" : "False";
  const said: readonly Said[] = [
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
  return said.reduce<readonly StatusCondition[]>((conditions, each) => withCondition(conditions, each, now), before);
}

/** A condition without its words, so that none are left over where it has nothing to say any more. */
function bare({ reason: _reason, message: _message, ...rest }: StatusCondition): StatusCondition {
  return rest;
}

/** An address that is the same for every simulated node of this name. */
export function nodeAddress(node: string): string {
  const hash = Number(hashText(node) % 65_000n) + 257;
  return `10.88.${hash >> 8}.${hash & 255}`;
}

function podAddress(pod: Pod, hostIP: string): string {
  if (pod.spec?.hostNetwork === true) return hostIP;
  const hash = Number(hashText(pod.metadata.uid) % 65_000n) + 257;
  return `10.244.${hash >> 8}.${hash & 255}`;
}
