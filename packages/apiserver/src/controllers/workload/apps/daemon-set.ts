import type { DaemonSet as DaemonSetKind, ObjectOf } from "@levelset/core";
import { scaledValueOf } from "../int-or-percent.ts";
import { compareForDeletion, isPodFinished, isPodReady, msUntilAvailable } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { revisionOfPod } from "./stateful-set.ts";
import type { Node } from "../pod/scheduler.ts";

/** A stored daemon set. */
export type DaemonSet = ObjectOf<typeof DaemonSetKind>;

/** Input of {@link planDaemonSet}. */
export interface DaemonSetSnapshot {
  readonly set: DaemonSet;
  readonly pods: readonly Pod[];
  /** Nodes that should run a pod. */
  readonly nodes: readonly Node[];
  /** Name of the revision of the current template. */
  readonly update: string;
  readonly now: number;
}

/** Pods to create and delete, so that each node has one pod of the current template. */
export interface DaemonSetPlan {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

/** Default tolerations of daemon pods (`pkg/controller/daemon/util/daemonset_util.go`, Kubernetes 1.36). */
export const DAEMON_TOLERATIONS: readonly {
  readonly key: string;
  readonly operator: "Exists";
  readonly effect: "NoSchedule" | "NoExecute";
}[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];

/** Returns the node that a daemon pod runs on or is assigned to. */
export function targetNodeOf(pod: Pod): string {
  const named = pod.spec?.nodeName ?? "";
  if (named !== "") return named;
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return (
    terms.flatMap(({ matchFields }) => matchFields ?? []).find(({ key }) => key === "metadata.name")?.values?.[0] ?? ""
  );
}

/** Decides which pods to create and delete. */
export function planDaemonSet(view: DaemonSetSnapshot): DaemonSetPlan {
  const byNode = Map.groupBy(view.pods, targetNodeOf);
  const names = view.nodes.map(({ metadata }) => metadata.name);
  const create = names.filter((name) => !byNode.has(name));
  const failed = view.pods.filter((pod) => isPodFinished(pod) && isAlive(pod));
  const unlistedRefs = view.pods.filter((pod) => !names.includes(targetNodeOf(pod)) && isAlive(pod));
  const doubles = names.flatMap((name) =>
    (byNode.get(name) ?? []).filter(isAlive).toSorted(compareForDeletion).slice(0, -1),
  );
  return { create, remove: [...new Set([...failed, ...unlistedRefs, ...doubles, ...outdated(view)])] };
}

function isAlive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined;
}

/** Returns pods of an old template, up to the allowed number of unavailable pods; unavailable pods first. */
function outdated(view: DaemonSetSnapshot): readonly Pod[] {
  const { set, nodes, pods, update } = view;
  if (set.spec.updateStrategy?.type === "OnDelete") return [];
  const old = pods.filter((pod) => isAlive(pod) && revisionOfPod(pod) !== update);
  const { maxUnavailable = 1, maxSurge } = set.spec.updateStrategy?.rollingUpdate ?? {};
  // Simulated pods cannot overlap on a node, so a surge is treated as unavailability.
  const may = Math.max(
    1,
    scaledValueOf(maxUnavailable, nodes.length, "up"),
    scaledValueOf(maxSurge, nodes.length, "up"),
  );
  const idle = old.filter((pod) => !isAvailable(view, pod));
  const missing = nodes.length - pods.filter((pod) => isAlive(pod) && isAvailable(view, pod)).length;
  const working = old.filter((pod) => isAvailable(view, pod));
  return [...idle, ...working.slice(0, Math.max(0, may - missing))];
}

function isAvailable({ set, now }: DaemonSetSnapshot, pod: Pod): boolean {
  return msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

/** Returns the status of a daemon set. */
export function daemonSetStatus(view: DaemonSetSnapshot): NonNullable<DaemonSet["status"]> {
  const { set, pods, nodes, update } = view;
  const names = nodes.map(({ metadata }) => metadata.name);
  const placed = pods.filter((pod) => isAlive(pod) && names.includes(targetNodeOf(pod)));
  const available = placed.filter((pod) => isAvailable(view, pod)).length;
  const updated = placed.filter((pod) => revisionOfPod(pod) === update).length;
  const { generation } = set.metadata;
  return {
    currentNumberScheduled: placed.length,
    numberMisscheduled: pods.filter((pod) => isAlive(pod) && !names.includes(targetNodeOf(pod))).length,
    desiredNumberScheduled: nodes.length,
    numberReady: placed.filter(isPodReady).length,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(nodes.length === available ? {} : { numberUnavailable: nodes.length - available }),
  };
}
