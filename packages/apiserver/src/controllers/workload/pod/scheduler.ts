import { Node as NodeKind } from "@levelset/core";
import { formatTimestamp } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../../owner-index.ts";
import { simulatedFailureOf } from "../simulation-annotations.ts";
import { isWorkloadConditionTrue, setWorkloadCondition } from "../workload-condition.ts";
import { isPodActive, POD_KIND } from "./pod.ts";
import type { Pod } from "./pod.ts";
import type { WorkloadContext } from "../workload-context.ts";

/** A stored node. */
export type Node = ObjectOf<typeof NodeKind>;

/** Whether a pod fits a node. The simulation checks readiness, cordon, taints, node selector and node name. */
export function podFitsNode(pod: Pod, node: Node): boolean {
  const desired = Object.entries(pod.spec?.nodeSelector ?? {});
  return (
    isWorkloadConditionTrue(node.status?.conditions, "Ready") &&
    (node.spec?.unschedulable !== true ||
      toleratesTaint(pod, { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" })) &&
    desired.every(([key, value]) => node.metadata.labels?.[key] === value) &&
    (node.spec?.taints ?? []).every((taint) => taint.effect === "PreferNoSchedule" || toleratesTaint(pod, taint)) &&
    namedNode(pod, node)
  );
}

/** Pods of a DaemonSet name the node in a required affinity. */
function namedNode(pod: Pod, node: Node): boolean {
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms.flatMap(({ matchFields }) => (matchFields ?? []).filter(({ key }) => key === "metadata.name"));
  return named.length === 0 || named.some(({ values }) => values?.includes(node.metadata.name) === true);
}

function toleratesTaint(
  pod: Pod,
  taint: { readonly key: string; readonly value?: string; readonly effect: string },
): boolean {
  return (pod.spec?.tolerations ?? []).some(
    ({ key = "", operator = "Equal", value = "", effect = "" }) =>
      (effect === "" || effect === taint.effect) &&
      (key === taint.key || (key === "" && operator === "Exists")) &&
      (operator === "Exists" || value === (taint.value ?? "")),
  );
}

/** Assigns pods to the fitting node with the fewest pods. */
export class Scheduler implements BuiltinController {
  readonly name = "scheduler";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (key.resource === "pods" && current !== undefined) yield formatStoreKey(key);
    if (key.resource !== "nodes") return;
    for (const pod of this.#context.client.list(POD_KIND)) if (isUnbound(pod)) yield podKey(pod);
  }

  async sync(text: string): Promise<undefined> {
    const { client } = this.#context;
    const { namespace, name } = parseStoreKey(text);
    const pod = client.get(POD_KIND, namespace, name);
    if (pod === undefined || !isUnbound(pod) || (pod.spec?.schedulingGates ?? []).length > 0) return;
    const node = simulatedFailureOf(pod, []) === "Unschedulable" ? undefined : this.#choose(pod);
    if (node === undefined) return this.#refuse(pod);
    await this.#bind(pod, node.metadata.name);
  }

  #choose(pod: Pod): Node | undefined {
    const { client } = this.#context;
    const nodes = client.list(NodeKind).filter((node) => podFitsNode(pod, node));
    if (nodes.length < 2) return nodes[0];
    const counts = Map.groupBy(client.list(POD_KIND).filter(isPodActive), (each) => each.spec?.nodeName ?? "");
    const load = (node: Node): number => counts.get(node.metadata.name)?.length ?? 0;
    return nodes.toSorted((a, b) => load(a) - load(b))[0];
  }

  async #bind(pod: Pod, nodeName: string): Promise<undefined> {
    const { client, clock, recorder } = this.#context;
    const now = formatTimestamp(clock.now());
    await client.privilegedUpdate(POD_KIND, pod, (old) => ({ ...old, ...bound(old, nodeName, now) }));
    const { namespace = "", name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    await recorder.record("default-scheduler", pod, { type: "Normal", reason: "Scheduled", message });
  }

  async #refuse(pod: Pod): Promise<undefined> {
    const { client, clock, recorder } = this.#context;
    const count = client.list(NodeKind).length;
    const message = `0/${count} nodes are available: ${count} node(s) did not fit the pod.`;
    const update = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const before = pod.status?.conditions;
    const conditions = setWorkloadCondition(before, update, formatTimestamp(clock.now()));
    if (conditions === before) return;
    await client.updateStatus(POD_KIND, pod, (old) => ({ ...old.status, conditions }));
    await recorder.record("default-scheduler", pod, { type: "Warning", reason: "FailedScheduling", message });
  }
}

function isUnbound(pod: Pod): boolean {
  return (pod.spec?.nodeName ?? "") === "" && isPodActive(pod);
}

function podKey({ metadata }: Pod): string {
  return formatStoreKey({ resource: "pods", namespace: metadata.namespace ?? "", name: metadata.name });
}

function bound(pod: Pod, nodeName: string, now: string): Readonly<Record<string, unknown>> {
  const conditions = setWorkloadCondition(
    (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled"),
    { type: "PodScheduled", status: "True" },
    now,
  );
  return { spec: { ...pod.spec, nodeName }, status: { ...pod.status, conditions } };
}
