import { Node as NodeKind, timestamp } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import { failureOf } from "./annotation.ts";
import { isTrue, withCondition } from "./condition.ts";
import { isActive, PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import type { WorkloadWorld } from "./world.ts";

/** A node as the server keeps it. */
export type Node = ObjectOf<typeof NodeKind>;

/** Whether a pod may run on a node, as far as the simulation looks: readiness, cordons, taints, node selector, name. */
export function fits(pod: Pod, node: Node): boolean {
  const wanted = Object.entries(pod.spec?.nodeSelector ?? {});
  return (
    isTrue(node.status?.conditions, "Ready") &&
    (node.spec?.unschedulable !== true ||
      toleratesTaint(pod, { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" })) &&
    wanted.every(([key, value]) => node.metadata.labels?.[key] === value) &&
    (node.spec?.taints ?? []).every((taint) => taint.effect === "PreferNoSchedule" || toleratesTaint(pod, taint)) &&
    namedNode(pod, node)
  );
}

/** Pods of a DaemonSet name their node in a required affinity. */
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

/** Gives pods a node: of those that fit, the one with the fewest pods. */
export class Scheduler implements Controller {
  readonly name = "scheduler";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected({ key, now }: Change): Iterable<string> {
    if (key.resource === "pods" && now !== undefined) yield formatStoreKey(key);
    if (key.resource !== "nodes") return;
    for (const pod of this.#world.actor.list(PodResource)) if (isUnbound(pod)) yield podKey(pod);
  }

  async sync(text: string): Promise<undefined> {
    const { actor } = this.#world;
    const { namespace, name } = parseStoreKey(text);
    const pod = actor.get(PodResource, namespace, name);
    if (pod === undefined || !isUnbound(pod) || (pod.spec?.schedulingGates ?? []).length > 0) return;
    const node = failureOf(pod, []) === "Unschedulable" ? undefined : this.#choose(pod);
    if (node === undefined) return this.#refuse(pod);
    await this.#bind(pod, node.metadata.name);
  }

  #choose(pod: Pod): Node | undefined {
    const { actor } = this.#world;
    const nodes = actor.list(NodeKind).filter((node) => fits(pod, node));
    if (nodes.length < 2) return nodes[0];
    const counts = Map.groupBy(actor.list(PodResource).filter(isActive), (each) => each.spec?.nodeName ?? "");
    const load = (node: Node): number => counts.get(node.metadata.name)?.length ?? 0;
    return nodes.toSorted((a, b) => load(a) - load(b))[0];
  }

  async #bind(pod: Pod, nodeName: string): Promise<undefined> {
    const { actor, clock, recorder } = this.#world;
    const now = timestamp(clock.now());
    await actor.amend(PodResource, pod, (old) => ({ ...old, ...bound(old, nodeName, now) }));
    const { namespace = "", name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    await recorder.record("default-scheduler", pod, { type: "Normal", reason: "Scheduled", message });
  }

  async #refuse(pod: Pod): Promise<undefined> {
    const { actor, clock, recorder } = this.#world;
    const count = actor.list(NodeKind).length;
    const message = `0/${count} nodes are available: ${count} node(s) did not fit the pod.`;
    const said = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const before = pod.status?.conditions;
    const conditions = withCondition(before, said, timestamp(clock.now()));
    if (conditions === before) return;
    await actor.changeStatus(PodResource, pod, (old) => ({ ...old.status, conditions }));
    await recorder.record("default-scheduler", pod, { type: "Warning", reason: "FailedScheduling", message });
  }
}

function isUnbound(pod: Pod): boolean {
  return (pod.spec?.nodeName ?? "") === "" && isActive(pod);
}

function podKey({ metadata }: Pod): string {
  return formatStoreKey({ resource: "pods", namespace: metadata.namespace ?? "", name: metadata.name });
}

function bound(pod: Pod, nodeName: string, now: string): Readonly<Record<string, unknown>> {
  const conditions = withCondition(
    (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled"),
    { type: "PodScheduled", status: "True" },
    now,
  );
  return { spec: { ...pod.spec, nodeName }, status: { ...pod.status, conditions } };
}
