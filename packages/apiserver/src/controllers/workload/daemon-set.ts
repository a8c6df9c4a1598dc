import type { DaemonSet as DaemonSetKind, ObjectOf } from "@levelset/core";
import { countOf } from "./fraction.ts";
import { byWorth, isFinished, isPodReady, msUntilAvailable } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { revisionName } from "./stateful-set.ts";
import type { Node } from "./scheduler.ts";

/** A daemon set as the server keeps it. */
export type DaemonSet = ObjectOf<typeof DaemonSetKind>;

/** What a daemon set is decided by. */
export interface DaemonView {
  readonly set: DaemonSet;
  readonly pods: readonly Pod[];
  /** The nodes that get a pod. */
  readonly nodes: readonly Node[];
  /** Name of the revision of the present template. */
  readonly update: string;
  readonly now: number;
}

/** What brings a daemon set to one pod on each node, all of the present template. */
export interface DaemonPlan {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

/** What every daemon's pod tolerates, so that it runs on nodes that others must leave. */
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

/** The node that a daemon's pod is on, or is meant for. */
export function nodeOf(pod: Pod): string {
  const named = pod.spec?.nodeName ?? "";
  if (named !== "") return named;
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return (
    terms.flatMap(({ matchFields }) => matchFields ?? []).find(({ key }) => key === "metadata.name")?.values?.[0] ?? ""
  );
}

/** Decides which pods come and go. */
export function planDaemonSet(view: DaemonView): DaemonPlan {
  const byNode = Map.groupBy(view.pods, nodeOf);
  const names = view.nodes.map(({ metadata }) => metadata.name);
  const create = names.filter((name) => !byNode.has(name));
  const failed = view.pods.filter((pod) => isFinished(pod) && isAlive(pod));
  const strays = view.pods.filter((pod) => !names.includes(nodeOf(pod)) && isAlive(pod));
  const doubles = names.flatMap((name) => (byNode.get(name) ?? []).filter(isAlive).toSorted(byWorth).slice(0, -1));
  return { create, remove: [...new Set([...failed, ...strays, ...doubles, ...outdated(view)])] };
}

function isAlive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined;
}

/** Pods of an old template, as many as may be missing at the moment; those that are not available first. */
function outdated(view: DaemonView): readonly Pod[] {
  const { set, nodes, pods, update } = view;
  if (set.spec.updateStrategy?.type === "OnDelete") return [];
  const old = pods.filter((pod) => isAlive(pod) && revisionName(pod) !== update);
  const { maxUnavailable = 1, maxSurge } = set.spec.updateStrategy?.rollingUpdate ?? {};
  // Pods cannot overlap on a simulated node: what may surge may be missing instead.
  const may = Math.max(1, countOf(maxUnavailable, nodes.length, "up"), countOf(maxSurge, nodes.length, "up"));
  const idle = old.filter((pod) => !isAvailable(view, pod));
  const missing = nodes.length - pods.filter((pod) => isAlive(pod) && isAvailable(view, pod)).length;
  const working = old.filter((pod) => isAvailable(view, pod));
  return [...idle, ...working.slice(0, Math.max(0, may - missing))];
}

function isAvailable({ set, now }: DaemonView, pod: Pod): boolean {
  return msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

/** The status of a daemon set. */
export function daemonSetStatus(view: DaemonView): NonNullable<DaemonSet["status"]> {
  const { set, pods, nodes, update } = view;
  const names = nodes.map(({ metadata }) => metadata.name);
  const placed = pods.filter((pod) => isAlive(pod) && names.includes(nodeOf(pod)));
  const available = placed.filter((pod) => isAvailable(view, pod)).length;
  const updated = placed.filter((pod) => revisionName(pod) === update).length;
  const { generation } = set.metadata;
  return {
    currentNumberScheduled: placed.length,
    numberMisscheduled: pods.filter((pod) => isAlive(pod) && !names.includes(nodeOf(pod))).length,
    desiredNumberScheduled: nodes.length,
    numberReady: placed.filter(isPodReady).length,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(nodes.length === available ? {} : { numberUnavailable: nodes.length - available }),
  };
}
