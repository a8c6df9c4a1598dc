import { Eviction, isConflict } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { decodeObject } from "../decode.ts";
import type { UnvalidatedObject, DeleteOptions, Resource } from "../../resource/index.ts";
import {
  deleteOptionsFromBody,
  badRequestError,
  conflictError,
  builtinResource,
  asRecord,
} from "../../resource/index.ts";
import type { Registry } from "../registry.ts";
import type { WriteOptions } from "../write-options.ts";
import type { ResourceObjectRef } from "../resource-object-ref.ts";
import {
  disruptionBudgetOf,
  canIgnoreBudget,
  checkAndDecrement,
  budgetStillProcessingError,
} from "./disruption-budget.ts";
import { withPodCondition } from "./pod-condition.ts";

/** The resource of Evictions, for decoding only. It is not served. */
const EVICTIONS: Resource = builtinResource({ kind: Eviction, verbs: [] });

/** Resource in errors of evictions (`pkg/registry/core/pod/storage/eviction.go`, Kubernetes 1.36). */
const POD = { group: "", plural: "Pod" };

/** Options of an eviction. */
export type EvictionOptions = WriteOptions & { readonly now: string };

/** Evicts a pod. Throws TooManyRequests if a PodDisruptionBudget does not allow it. */
export async function evictPod(
  registry: Registry,
  target: ResourceObjectRef,
  body: JsonValue,
  options: EvictionOptions,
): Promise<void> {
  const { object } = decodeObject(EVICTIONS, inCurrentVersion(body), options.fieldValidation);
  if (object.metadata.name !== target.name) throw badRequestError("name in URL does not match name in Eviction object");
  const requested = askedFor(object, options);
  const pod = registry.get(target).object;
  const budget = isBudgetExempt(pod) ? undefined : disruptionBudgetOf(registry, pod);
  const isGuarded = budget !== undefined && canIgnoreBudget(pod, budget);
  if (budget !== undefined && !isGuarded)
    await checkAndDecrement(registry, budget, pod.metadata.name, { ...options, ...requested });
  try {
    await remove(registry, target, isGuarded ? pinned(requested, pod) : requested, options.now);
  } catch (error) {
    // The pod may have become ready in the meantime; then the budget applies.
    if (isConflict(error) && isGuarded && requested.preconditions.resourceVersion === undefined) {
      throw budgetStillProcessingError(budget.metadata.name);
    }
    throw error;
  }
}

function inCurrentVersion(body: JsonValue): JsonValue {
  const { apiVersion } = asRecord(body);
  // Older clients send policy/v1beta1, which has the same fields.
  return apiVersion === "policy/v1beta1" ? { ...asRecord(body), apiVersion: "policy/v1" } : body;
}

function askedFor(draft: UnvalidatedObject, options: WriteOptions): DeleteOptions {
  const given = deleteOptionsFromBody(draft["deleteOptions"] ?? {});
  return { ...given, dryRun: given.dryRun || options.dryRun };
}

function pinned(requested: DeleteOptions, pod: ApiObject): DeleteOptions {
  const { resourceVersion } = pod.metadata;
  return { ...requested, preconditions: { resourceVersion, ...requested.preconditions } };
}

/** Marks the pod as disrupted and deletes it. */
async function remove(
  registry: Registry,
  target: ResourceObjectRef,
  requested: DeleteOptions,
  now: string,
): Promise<void> {
  if (requested.dryRun) {
    await registry.delete(target, requested);
    return;
  }
  const report = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  } as const;
  const { view } = await registry.privilegedUpdate(target, (pod) => {
    checkPreconditions(pod, requested);
    return { ...pod, status: withPodCondition(asRecord(pod["status"]), report, now) };
  });
  const { uid, resourceVersion } = view.object.metadata;
  const isPinned = requested.preconditions.resourceVersion !== undefined;
  await registry.delete(target, { ...requested, preconditions: isPinned ? { uid, resourceVersion } : { uid } });
}

function checkPreconditions(pod: ApiObject, { preconditions }: DeleteOptions): void {
  const { name, uid, resourceVersion } = pod.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflictError(POD, name, why);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflictError(POD, name, why);
  }
}

/** Returns whether a pod is finished, pending or being deleted, so that budgets do not apply. */
function isBudgetExempt(pod: ApiObject): boolean {
  const { phase } = asRecord(pod["status"]);
  return pod.metadata.deletionTimestamp !== undefined || ["Succeeded", "Failed", "Pending"].includes(String(phase));
}
