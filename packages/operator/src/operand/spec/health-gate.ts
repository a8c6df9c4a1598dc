import { isJsonObject } from "@levelset/core";
import type { SpecOf } from "@levelset/core";
import type { InstallLists } from "./install-order.ts";
import type { ManifestItem } from "./item.ts";
import { liveRefId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import type { Operand } from "./operand-kinds.ts";
import { podReferences } from "./pod-references.ts";

/** Phase of an installation: steadyState alone, then the merged set. */
export type InstallPhase = "steadyState" | "postInstall";

/** Reports whether a phase waits until an object is ready. Rules of `spec.health` and CRDs are waited for regardless. */
export type HealthGate = (item: ManifestItem) => boolean;

type GateSpec = Pick<SpecOf<Operand>, "healthGate" | "checkDeploymentHealth">;

/** Kinds whose pods the cluster itself starts. No other controller has to run before they become ready. */
const WORKLOADS: ReadonlySet<string> = new Set([
  "Deployment.apps",
  "StatefulSet.apps",
  "DaemonSet.apps",
  "ReplicaSet.apps",
  "ReplicationController.",
  "Job.batch",
  "Pod.",
]);

/**
 * Returns the objects that a phase waits for.
 *
 * With `All`, the gate of steadyState must not need postInstall, which is applied only afterwards. It therefore leaves
 * out, until the merged set is applied: objects that postInstall replaces, workloads whose pods need an object that
 * only postInstall has, and, if postInstall has objects at all, every object that is no workload, because the
 * controller that makes it ready, or something that this controller needs, may come with postInstall. Deployments are
 * checked in both phases.
 */
export function healthGate(spec: GateSpec, lists: InstallLists, phase: InstallPhase): HealthGate {
  const hasDeployments = spec.checkDeploymentHealth && spec.healthGate !== "None";
  if (spec.healthGate !== "All") return ({ ref }) => hasDeployments && isDeployment(ref);
  const gates = gateOfMerged(hasDeployments, lists.merged);
  const later = laterItems(lists);
  if (phase === "postInstall" || later.size === 0) return gates;
  const first = new Set(lists.steadyState.map(({ ref }) => liveRefId(ref)));
  return (item) => {
    if (isDeployment(item.ref)) return hasDeployments;
    if (!WORKLOADS.has(kindOf(item.ref)) || later.has(liveRefId(item.ref)) || !gates(item)) return false;
    return ![...podReferences(item.object)].some((id) => later.has(id) && !first.has(id));
  };
}

/** Returns the objects that postInstall adds or replaces, as `liveRefId`. */
function laterItems({ steadyState, merged }: InstallLists): ReadonlySet<string> {
  const first = new Set(steadyState);
  return new Set(merged.filter((item) => !first.has(item)).map(({ ref }) => liveRefId(ref)));
}

/**
 * Returns the gate of a complete set: all objects, except those that are not meant to become ready. A suspended Job does
 * not run. A claim may stay Pending until a pod uses it (StorageClass `volumeBindingMode: WaitForFirstConsumer`).
 */
function gateOfMerged(hasDeployments: boolean, items: readonly ManifestItem[]): HealthGate {
  let consumers: ReadonlyMap<string, readonly ManifestItem[]> | undefined;
  const byId = new Map(items.map((item) => [liveRefId(item.ref), item]));
  return (item) => {
    const { ref } = item;
    if (isDeployment(ref)) return hasDeployments;
    if (kindOf(ref) === "Job.batch") return startsPods(item);
    if (kindOf(ref) !== "PersistentVolumeClaim.") return true;
    consumers ??= consumersOf(items.filter((one) => hasDeployments || !isDeployment(one.ref)));
    const id = liveRefId(ref);
    return (consumers.get(id) ?? []).some((one) => one.wave <= item.wave && !isHeldBy(one, id, byId));
  };
}

/** Returns the workloads that use each claim, by the `liveRefId` of the claim. */
function consumersOf(items: readonly ManifestItem[]): ReadonlyMap<string, readonly ManifestItem[]> {
  const consumers = new Map<string, ManifestItem[]>();
  // A DaemonSet may have no nodes, and an object of another mode need not be as in its manifest.
  const isCertain = (item: ManifestItem): boolean =>
    item.mode === "Reconcile" && WORKLOADS.has(kindOf(item.ref)) && item.ref.kind !== "DaemonSet" && startsPods(item);
  for (const item of items.filter(isCertain)) {
    for (const id of podReferences(item.object)) consumers.set(id, [...(consumers.get(id) ?? []), item]);
  }
  return consumers;
}

/** Reports whether the manifest of a workload asks for pods. */
function startsPods({ object: { spec } }: ManifestItem): boolean {
  return !isJsonObject(spec) || (spec["replicas"] !== 0 && spec["suspend"] !== true);
}

/** Reports whether an object depends on the object `id`, directly or through others, and so waits until it is ready. */
function isHeldBy(item: ManifestItem, id: string, byId: ReadonlyMap<string, ManifestItem>): boolean {
  const seen = new Set<string>();
  const visit = ({ dependsOn }: ManifestItem): void => {
    for (const one of dependsOn.map(liveRefId).filter((other) => !seen.has(other))) {
      seen.add(one);
      const next = byId.get(one);
      if (next !== undefined) visit(next);
    }
  };
  visit(item);
  return seen.has(id);
}

function isDeployment(ref: LiveRef): boolean {
  return ref.kind === "Deployment" && ref.group === "apps";
}

function kindOf({ group, kind }: LiveRef): string {
  return `${kind}.${group}`;
}
