import { isJsonObject } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import type { PlannedAction } from "./planned-action.ts";
import type { StoreChange } from "./store-changes.ts";

/** Workloads that replace their pods when the pod template changes, and the number of their pods. */
const WORKLOADS: Readonly<Record<string, (object: JsonObject) => number>> = {
  "deployments.apps": (object) => (at(object, "spec", "paused") === true ? 0 : replicas(object)),
  "statefulsets.apps": (object) =>
    isOnDelete(object)
      ? 0
      : Math.max(0, replicas(object) - (numberAt(object, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0)),
  "daemonsets.apps": (object) => (isOnDelete(object) ? 0 : (numberAt(object, "status", "currentNumberScheduled") ?? 0)),
};

/**
 * Returns how many pods a change replaces: those of a workload whose pod template changes or that is recreated, and a pod
 * that is deleted, unless its owner is deleted too. The number is that of the pods that exist now.
 */
export function podRestarts(
  { resource, before, after }: StoreChange,
  action: PlannedAction,
  deleted: ReadonlySet<string>,
): number {
  if (before === undefined || action === "create") return 0;
  if (resource === "pods") {
    if (action === "recreate") return 1;
    const isCollected = before.metadata.ownerReferences?.some(({ uid }) => deleted.has(uid)) === true;
    return action === "delete" && !isCollected ? 1 : 0;
  }
  const podsOf = WORKLOADS[resource];
  if (podsOf === undefined || action === "delete") return 0;
  const [was, is] = [json(before), json(after)];
  if (action === "recreate" || is === undefined) return podsOf(was);
  if (deepEqual(at(was, "spec", "template"), at(is, "spec", "template"))) return 0;
  // The new object decides how pods are replaced, the old status how many there are.
  const { status } = was;
  return podsOf(status === undefined ? is : { ...is, status });
}

/** Pods that exist now. */
function replicas(object: JsonObject): number {
  return numberAt(object, "status", "replicas") ?? numberAt(object, "spec", "replicas") ?? 1;
}

function isOnDelete(object: JsonObject): boolean {
  return at(object, "spec", "updateStrategy", "type") === "OnDelete";
}

function numberAt(object: JsonObject, ...path: readonly string[]): number | undefined {
  const value = at(object, ...path);
  return typeof value === "number" ? value : undefined;
}

function at(object: JsonObject | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), object);
}

function json(object: KubeObject): JsonObject;
function json(object: KubeObject | undefined): JsonObject | undefined;
function json(object: KubeObject | undefined): JsonObject | undefined {
  return object as unknown as JsonObject | undefined; // objects are JSON; their interfaces only lack the index signature
}
